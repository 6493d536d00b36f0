/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a table that is enabled one that could be enabled: refuses statements that would make it anything else, by the
 * same rules ({@link Eligibility}); what gets past, by another node or another way, {@link TableWatcher} finds. And
 * keeps one that takes part in transactions replicated where it takes part. Thread-safe.
 *
 * @param anyEnabled whether a table may be enabled
 */
public record SchemaGuard(BooleanSupplier anyEnabled, TransactionSwitch transactions) {
    /** Whether changes of the schema are to be looked at. */
    public boolean isOn() {
        return anyEnabled.getAsBoolean() || transactions.isConfigured();
    }

    /**
     * To be called by the coordinator once the statement is authorized and validated.
     *
     * @throws InvalidRequestException if a table could not be served after it
     */
    public void check(AlterSchemaStatement statement) {
        Keyspaces after;
        try {
            after = statement.apply(Schema.instance.distributedKeyspaces());
        } catch (RequestValidationException e) {
            return; // it does nothing, and Cassandra says so itself
        }
        Map<TableId, String> before = obstacles(Schema.instance.distributedKeyspaces());
        for (KeyspaceMetadata keyspace : after) {
            for (TableMetadata table : keyspace.tables) {
                String obstacle = obstacleTo(keyspace, table);
                if (obstacle != null && !before.containsKey(table.id)) {
                    throw new InvalidRequestException(
                            "MeteorShower: " + table
                                    + " is enabled, and could not be served after this: it then " + obstacle
                                    + ". Leave that out, or disable the table first (DELETE FROM meteorshower.tables WHERE ...).");
                }
                requireReplicas(keyspace, table);
            }
        }
    }

    private void requireReplicas(KeyspaceMetadata keyspace, TableMetadata table) {
        String lack = transactions.lackOfReplicas(keyspace, table);
        KeyspaceMetadata now = Schema.instance.getKeyspaceMetadata(keyspace.name);
        if (lack != null && now != null && transactions.lackOfReplicas(now, table) == null) {
            throw new InvalidRequestException("MeteorShower: " + table
                    + " takes part in transactions, and could not after this: it then " + lack
                    + ". Leave that out, or take the table out first (DELETE FROM meteorshower.tables WHERE ...): it"
                    + " cannot take part again then.");
        }
    }

    /** Why enabled tables of this schema cannot be served, by table. */
    static Map<TableId, String> obstacles(Keyspaces schema) {
        Map<TableId, String> obstacles = new HashMap<>();
        for (KeyspaceMetadata keyspace : schema) {
            for (TableMetadata table : keyspace.tables) {
                String obstacle = obstacleTo(keyspace, table);
                if (obstacle != null) {
                    obstacles.put(table.id, obstacle);
                }
            }
        }
        return obstacles;
    }

    private static @Nullable String obstacleTo(KeyspaceMetadata keyspace, TableMetadata table) {
        return table.params.extensions.containsKey(TableOptions.EXTENSION)
                ? Eligibility.obstacle(keyspace, table)
                : null;
    }
}
