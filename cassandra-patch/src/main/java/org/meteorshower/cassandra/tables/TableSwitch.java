/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformation;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.transactions.Extensions;
import org.meteorshower.cassandra.transactions.TransactionOptions;

/** Enables and disables tables by changing their schema, as ALTER TABLE does: all nodes get to know. Thread-safe. */
public final class TableSwitch {
    /** For a table that is to take part in transactions: what is not served before is Cassandra's. */
    private static final TableOptions ON_ITS_WAY = TableOptions.parse("ranges=cassandra");

    private final PlacementKeeper keeper;

    public TableSwitch(PlacementKeeper keeper) {
        this.keeper = keeper;
    }

    /**
     * @param options null keeps those it has, or gives it the defaults
     * @throws InvalidRequestException if the table cannot be enabled, or not with these options
     */
    public void enable(TableMetadata table, @Nullable String options) {
        transform(table, before -> {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(before.keyspace);
            String obstacle = keyspace == null ? "is gone" : Eligibility.obstacle(keyspace, before);
            if (obstacle != null) {
                throw refused(before + " " + obstacle);
            }
            if (before.params.extensions.containsKey(TransactionOptions.EXTENSION)) {
                throw refused(
                        before + " takes part in transactions, or did: transactions keep an order of their own, which"
                                + " sequential reads know nothing of. A table can have one of the two.");
            }
            TableOptions has = TableOptions.of(before);
            TableOptions wanted = options == null ? (has == null ? TableOptions.DEFAULT : has) : parse(options);
            if (has != null && has.writeQuorum() != wanted.writeQuorum()) {
                throw refused("w cannot change while " + before + " is enabled, since nodes learn of it at different"
                        + " times: disable the table, wait until all nodes agree on the schema, then enable it anew");
            }
            if (has != null && has.strict() != wanted.strict()) {
                throw refused("strict=" + wanted.strict().name().toLowerCase(Locale.ROOT) + " cannot be chosen while "
                        + before + " is enabled otherwise, since nodes learn of it at different times: disable the"
                        + " table, wait until all nodes agree on the schema, then enable it anew");
            }
            checkLeaseHolders(keyspace, wanted);
            TableEpoch epoch = has == null ? TableEpoch.first(ringOf(before, wanted)) : has.epoch();
            return with(before, wanted.in(epoch).toExtension());
        });
    }

    private static void checkLeaseHolders(KeyspaceMetadata keyspace, TableOptions options) {
        if (options.leaseHolders().isEmpty()) {
            return;
        }
        Set<String> known = new TreeSet<>(dataCentresOf(keyspace));
        Set<String> unknown = new TreeSet<>(options.leaseHolders());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw refused("holders names " + String.join(", ", unknown) + ", where keyspace " + keyspace.name
                    + " has no replicas; it has them in " + String.join(", ", known)
                    + " (names as nodetool status gives them)");
        }
    }

    private static Set<String> dataCentresOf(KeyspaceMetadata keyspace) {
        return keyspace.createReplicationStrategy() instanceof NetworkTopologyStrategy placed
                ? placed.getDatacenters()
                : StorageService.instance
                        .getTokenMetadata()
                        .cachedOnlyTokenMap()
                        .getTopology()
                        .getDatacenterEndpoints()
                        .keySet();
    }

    private String ringOf(TableMetadata table, TableOptions options) {
        String ring = keeper.ringOf(table, options.rules());
        if (ring == null) {
            throw refused(
                    "partitions of keyspace " + table.keyspace + " are moving between nodes, or a node is not known"
                            + " yet: enable " + table + " when that is done (nodetool netstats, nodetool status)");
        }
        return ring;
    }

    /**
     * The table enabled, with the options that it has or others by which nothing is refused that need not be.
     *
     * @throws InvalidRequestException if its partitions are moving
     */
    TableMetadata enabled(TableMetadata table) {
        return TableOptions.of(table) != null
                ? table
                : with(
                        table,
                        ON_ITS_WAY
                                .in(TableEpoch.first(ringOf(table, ON_ITS_WAY)))
                                .toExtension());
    }

    /** The table without what it is enabled by. */
    static TableMetadata disabled(TableMetadata table) {
        return with(table, null);
    }

    /** Begins a new epoch of an enabled table after this one; no change where somebody else did it. */
    void move(TableMetadata table, TableEpoch last, String ring) {
        transform(table, before -> {
            TableOptions has = TableOptions.of(before);
            return has == null || !has.epoch().equals(last)
                    ? before
                    : with(before, has.in(has.epoch().next(ring)).toExtension());
        });
    }

    public void disable(TableMetadata table) {
        transform(table, TableSwitch::disabled);
    }

    static void transform(TableMetadata table, UnaryOperator<TableMetadata> change) {
        SchemaTransformation transformation = schema -> {
            KeyspaceMetadata keyspace = schema.getNullable(table.keyspace);
            TableMetadata current = keyspace == null ? null : keyspace.getTableOrViewNullable(table.name);
            if (keyspace == null || current == null) {
                throw refused(table + " is gone");
            }
            return replaced(schema, keyspace, current, change.apply(current));
        };
        Schema.instance.transform(transformation);
    }

    private static Keyspaces replaced(
            Keyspaces schema, KeyspaceMetadata keyspace, TableMetadata before, TableMetadata after) {
        return before.equals(after)
                ? schema
                : schema.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.withSwapped(after)));
    }

    private static TableMetadata with(TableMetadata table, @Nullable ByteBuffer extension) {
        return Extensions.with(table, TableOptions.EXTENSION, extension);
    }

    private static TableOptions parse(String options) {
        try {
            return TableOptions.parse(options);
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private static InvalidRequestException refused(@Nullable String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
