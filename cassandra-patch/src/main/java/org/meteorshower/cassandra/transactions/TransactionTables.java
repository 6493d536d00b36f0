/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import com.google.common.collect.MapMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.TakingPart;

/**
 * Which tables take part in transactions, as the schema says. Thread-safe; quick enough to be asked for each statement.
 */
public final class TransactionTables {
    /** Of tables as they are in the schema now: read once, and asked for with each statement and each row. */
    private static final ConcurrentMap<TableMetadata, TransactionOptions> known =
            new MapMaker().weakKeys().makeMap();

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private TransactionTables() {}

    /**
     * How a table takes part, did, or is about to, as the schema says now: statements that clients have prepared keep
     * the table as it was then. Null if none of these.
     *
     * @throws IllegalArgumentException if a later version of the plugin wrote that
     */
    public static @Nullable TransactionOptions options(TableMetadata table) {
        TableMetadata current = Schema.instance.getTableMetadata(table.id);
        TableMetadata now = current == null ? table : current;
        return now.params.extensions.containsKey(TransactionOptions.EXTENSION)
                ? known.computeIfAbsent(now, TransactionOptions::of)
                : null;
    }

    /** How far a table is with taking part; null where nobody has asked for that. */
    public static TakingPart.@Nullable Stage stage(TableMetadata table) {
        TransactionOptions options = options(table);
        return options == null ? null : options.stage();
    }

    /**
     * Waits while the table is closed, on its way into transactions; looks every few milliseconds.
     *
     * @return whether it is not closed any more
     */
    public static boolean awaitNotClosed(TableMetadata table, long deadlineNanos) {
        while (stage(table) == TakingPart.Stage.CLOSED) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return true;
    }

    /** Those that are about to take part. Looks through the whole schema. */
    public static List<TableMetadata> aboutToTakePart() {
        return taking(options -> !options.hasBegun());
    }

    /** The same; null also where there is no such table. */
    public static TakingPart.@Nullable Stage stage(TableId id) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        return table == null ? null : stage(table);
    }

    /** The tables that take part now. Looks through the whole schema. */
    public static List<TableMetadata> all() {
        return taking(TransactionOptions::isOpen);
    }

    private static List<TableMetadata> taking(Predicate<TransactionOptions> part) {
        List<TableMetadata> tables = new ArrayList<>();
        for (String name : Schema.instance.getUserKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (keyspace != null) {
                for (TableMetadata table : keyspace.tables) {
                    TransactionOptions options = options(table);
                    if (options != null && part.test(options)) {
                        tables.add(table);
                    }
                }
            }
        }
        return tables;
    }

    /** Those of a group of lanes. Looks through the whole schema. */
    public static List<TableMetadata> all(int group) {
        return all().stream().filter(table -> group(table) == group).toList();
    }

    /**
     * The numbers of the groups of lanes that tables are of now, or are about to be. Looks through the whole schema.
     */
    public static SortedSet<Integer> groups() {
        return taking(TransactionTables::isWanted).stream()
                .map(TransactionTables::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Not while the table is closed, so that what a group that is founded then makes does not hold up the changes of
     * the schema that open it.
     */
    private static boolean isWanted(TransactionOptions options) {
        return options.isOpen() || options.stage() == TakingPart.Stage.COMING_TOGETHER;
    }

    /** The number of the group of lanes that a table is, or was, of; that of all data centres where it never was. */
    public static int group(TableMetadata table) {
        TransactionOptions options = options(table);
        return options == null ? LaneGroup.WHOLE : options.group();
    }

    /** The ids of those of a group that have rows in an order, as rows' keys name them. */
    public static List<String> ordered(int group) {
        return all(group).stream()
                .filter(table -> table.comparator.size() > 0)
                .map(table -> table.id.toString())
                .toList();
    }

    /** Whether a table of the group takes part, or is about to: then there is something to run. */
    public static boolean any(int group) {
        return groups().contains(group);
    }

    public static boolean isTransactional(@Nullable TableMetadata table) {
        TransactionOptions options = table == null ? null : options(table);
        return options != null && options.isOpen();
    }
}
