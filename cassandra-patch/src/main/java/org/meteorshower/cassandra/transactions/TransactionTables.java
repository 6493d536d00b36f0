/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import com.google.common.collect.MapMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Which tables take part in transactions, as the schema says. Thread-safe; quick enough to be asked for each statement.
 */
public final class TransactionTables {
    /** Of tables as they are in the schema now: read once, and asked for with each statement and each row. */
    private static final ConcurrentMap<TableMetadata, TransactionOptions> known =
            new MapMaker().weakKeys().makeMap();

    private TransactionTables() {}

    /**
     * How a table takes part, or did; null if it never has.
     *
     * @throws IllegalArgumentException if a later version of the plugin wrote that
     */
    public static @Nullable TransactionOptions options(TableMetadata table) {
        return table.params.extensions.containsKey(TransactionOptions.EXTENSION)
                ? known.computeIfAbsent(table, TransactionOptions::of)
                : null;
    }

    public static boolean isTransactional(TableId table) {
        return isTransactional(Schema.instance.getTableMetadata(table));
    }

    /** The tables that take part now. Looks through the whole schema. */
    public static List<TableMetadata> all() {
        List<TableMetadata> tables = new ArrayList<>();
        for (String name : Schema.instance.getUserKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (keyspace != null) {
                keyspace.tables.stream()
                        .filter(TransactionTables::isTransactional)
                        .forEach(tables::add);
            }
        }
        return tables;
    }

    /** Those of a group of lanes. Looks through the whole schema. */
    public static List<TableMetadata> all(int group) {
        return all().stream().filter(table -> group(table) == group).toList();
    }

    /** The numbers of the groups of lanes that tables are of now. Looks through the whole schema. */
    public static SortedSet<Integer> groups() {
        return all().stream().map(TransactionTables::group).collect(Collectors.toCollection(TreeSet::new));
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

    public static boolean any(int group) {
        return !all(group).isEmpty();
    }

    public static boolean isTransactional(@Nullable TableMetadata table) {
        TransactionOptions options = table == null ? null : options(table);
        return options != null && !options.ended();
    }
}
