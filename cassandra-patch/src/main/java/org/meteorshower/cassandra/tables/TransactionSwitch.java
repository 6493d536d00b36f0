/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart.Stage;

/** Lets tables take part in transactions, by changing their schema: all nodes get to know. Thread-safe. */
public final class TransactionSwitch {
    public static final String OFF =
            "not served: transactions are not configured at this node (transactions.data_centres)";

    private final @Nullable TransactionsConfig config;

    private final Supplier<@Nullable String> withoutGroups;
    private final @Nullable WayIn wayIn;

    /**
     * @param config null where transactions are not configured
     * @param withoutGroups a node whose plugin knows no groups of lanes; null where there is none
     * @param wayIn null where no table can be let in
     */
    public TransactionSwitch(
            @Nullable TransactionsConfig config, Supplier<@Nullable String> withoutGroups, @Nullable WayIn wayIn) {
        this.config = config;
        this.withoutGroups = withoutGroups;
        this.wayIn = wayIn;
    }

    /** Where transactions are not configured. */
    public static TransactionSwitch off() {
        return new TransactionSwitch(null, () -> null, null);
    }

    public boolean isConfigured() {
        return config != null;
    }

    /**
     * Lets the table in. Where it holds nothing it mostly takes part when this returns; else this goes on by itself,
     * which the client is told.
     *
     * @param deadlineNanos until when to wait for it
     * @throws InvalidRequestException if the table cannot take part, or not all nodes can be asked
     */
    public void enable(TableMetadata table, long deadlineNanos) {
        TransactionsConfig configured = config;
        if (configured == null || wayIn == null) {
            throw refused(
                    "transactions are not configured: name the data centres that take part in transactions.data_centres"
                            + " in meteorshower.yaml, the same at all nodes, and restart");
        }
        wayIn.begin(
                table,
                before -> {
                    TransactionOptions has = TransactionOptions.of(before);
                    KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(before.keyspace);
                    LaneGroup group = keyspace == null ? null : group(keyspace, configured);
                    String obstacle = has != null
                            ? "took part before, and cannot again: others may have written to it since. Make a new table, and copy it"
                            : keyspace == null ? "is gone" : obstacle(keyspace, before, group, configured);
                    if (obstacle != null || group == null) {
                        throw refused(before + " " + obstacle);
                    }
                    return group.number();
                },
                deadlineNanos);
    }

    /**
     * For good. What transactions have written is in the table, but for the last moments. Of a table that comes
     * together nothing is left, and it can be let in again.
     *
     * @throws InvalidRequestException if the table is closed
     */
    public void end(TableMetadata table) {
        TableSwitch.transform(table, before -> {
            TransactionOptions has = TransactionOptions.of(before);
            if (has == null) {
                return before;
            }
            return switch (has.stage()) {
                case COMING_TOGETHER -> TransactionOptions.without(TableSwitch.disabled(before));
                case CLOSED ->
                    throw refused(before + " is closed at this moment, on its way into transactions, and one node may"
                            + " let it in while another takes it back. Wait until it takes part; what it waits for is"
                            + " its state in meteorshower.tables: a node that is down must come back, or be removed"
                            + " (nodetool removenode)");
                case OPEN -> has.at(Stage.ENDED).in(before);
                case ENDED -> before;
            };
        });
    }

    /** What a table that is about to take part waits for, as far as this node knows; null where that is nothing. */
    public @Nullable String waitsFor(TableMetadata table) {
        return wayIn == null ? null : wayIn.waitsFor(table);
    }

    private @Nullable String obstacle(
            KeyspaceMetadata keyspace, TableMetadata table, @Nullable LaneGroup group, TransactionsConfig configured) {
        if (group == null) {
            return "is replicated in none of the data centres that take part: its keyspace needs"
                    + " NetworkTopologyStrategy with replicas in "
                    + String.join(", ", configured.dataCentres()) + ", or in some of them";
        }
        String older = group.isWhole() ? null : withoutGroups.get();
        if (older != null) {
            return "is replicated in " + group.text()
                    + " alone, so that these put its transactions into an order of their"
                    + " own, and the plugin of node " + older + " does not know that yet: install the newer one there,"
                    + " too, or replicate the keyspace in " + String.join(", ", configured.dataCentres());
        }
        Set<Integer> groups = new TreeSet<>(TransactionTables.groups());
        groups.remove(LaneGroup.WHOLE);
        if (!group.isWhole() && !groups.contains(group.number()) && groups.size() >= LaneGroup.MOST) {
            return "would be the first of a group of lanes of its own, that of " + group.text() + ", and there are "
                    + LaneGroup.MOST + " of some of the data centres already, the most that there can be: replicate its"
                    + " keyspace where another's tables are";
        }
        return Eligibility.obstacle(keyspace, table);
    }

    /** Of the data centres that have replicas; null where none of those that are configured has. */
    private static @Nullable LaneGroup group(KeyspaceMetadata keyspace, TransactionsConfig configured) {
        return LaneGroup.of(
                configured.dataCentres().stream()
                        .filter(dataCentre -> isReplicatedIn(dataCentre, keyspace))
                        .toList(),
                configured.dataCentres());
    }

    /**
     * Where a table that takes part has no replicas although its group of lanes needs them; null where that is not so.
     *
     * @param keyspace as it is, or is to be
     */
    @Nullable
    String lackOfReplicas(KeyspaceMetadata keyspace, TableMetadata table) {
        TransactionsConfig configured = config;
        LaneGroup group = configured == null || !TransactionTables.isTransactional(table)
                ? null
                : LaneGroup.numbered(TransactionTables.group(table), configured.dataCentres());
        if (group != null) {
            for (String dataCentre : group.dataCentres()) {
                if (!isReplicatedIn(dataCentre, keyspace)) {
                    return "has no replica in " + dataCentre;
                }
            }
        }
        return null;
    }

    /** The data centres of the group of lanes that a table is of; null where that is not known here. */
    public @Nullable String groupOf(TableMetadata table) {
        LaneGroup group =
                config == null ? null : LaneGroup.numbered(TransactionTables.group(table), config.dataCentres());
        return group == null ? null : group.text();
    }

    private static boolean isReplicatedIn(String dataCentre, KeyspaceMetadata keyspace) {
        return keyspace.createReplicationStrategy() instanceof NetworkTopologyStrategy strategy
                && strategy.getReplicationFactor(dataCentre).allReplicas > 0;
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
