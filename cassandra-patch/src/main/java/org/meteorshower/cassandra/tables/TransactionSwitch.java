/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.transactions.TransactionOptions;

/** Lets tables take part in transactions, by changing their schema: all nodes get to know. Thread-safe. */
public final class TransactionSwitch {
    public static final String OFF =
            "not served: transactions are not configured at this node (transactions.data_centres)";

    private final @Nullable TransactionsConfig config;

    public TransactionSwitch(@Nullable TransactionsConfig config) {
        this.config = config;
    }

    public boolean isConfigured() {
        return config != null;
    }

    /** @throws InvalidRequestException if the table cannot take part */
    public void enable(TableMetadata table) {
        TransactionsConfig configured = config;
        if (configured == null) {
            throw refused(
                    "transactions are not configured: name the data centres that take part in transactions.data_centres"
                            + " in meteorshower.yaml, the same at all nodes, and restart");
        }
        TableSwitch.transform(table, before -> {
            TransactionOptions has = TransactionOptions.of(before);
            if (has != null && !has.ended()) {
                return before;
            }
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(before.keyspace);
            String obstacle = has != null
                    ? "took part before, and cannot again: others may have written to it since. Make a new table, and copy it"
                    : keyspace == null ? "is gone" : obstacle(keyspace, before, configured);
            if (obstacle != null) {
                throw refused(before + " " + obstacle);
            }
            return with(before, new TransactionOptions(FBUtilities.timestampMicros(), false));
        });
    }

    /** For good. What transactions have written is in the table, but for the last moments. */
    public void end(TableMetadata table) {
        TableSwitch.transform(table, before -> {
            TransactionOptions has = TransactionOptions.of(before);
            return has == null || has.ended() ? before : with(before, new TransactionOptions(has.baseMicros(), true));
        });
    }

    private static @Nullable String obstacle(
            KeyspaceMetadata keyspace, TableMetadata table, TransactionsConfig configured) {
        if (table.params.extensions.containsKey(TableOptions.EXTENSION)) {
            return "is enabled for sequential reads: disable it there first (DELETE FROM meteorshower.tables WHERE ...)";
        }
        for (String dataCentre : configured.dataCentres()) {
            if (!isReplicatedIn(dataCentre, keyspace)) {
                return "is not replicated in " + dataCentre
                        + ": its keyspace needs NetworkTopologyStrategy with replicas in "
                        + String.join(", ", configured.dataCentres());
            }
        }
        return Eligibility.obstacle(keyspace, table);
    }

    private static boolean isReplicatedIn(String dataCentre, KeyspaceMetadata keyspace) {
        return keyspace.createReplicationStrategy() instanceof NetworkTopologyStrategy strategy
                && strategy.getReplicationFactor(dataCentre).allReplicas > 0;
    }

    private static TableMetadata with(TableMetadata table, TransactionOptions options) {
        Map<String, java.nio.ByteBuffer> extensions = new HashMap<>(table.params.extensions);
        extensions.put(TransactionOptions.EXTENSION, options.toExtension());
        return table.unbuild()
                .params(table.params.unbuild().extensions(extensions).build())
                .build();
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
