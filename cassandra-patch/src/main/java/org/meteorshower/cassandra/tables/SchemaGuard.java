/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
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
 * same rules ({@link Eligibility}). What gets past, by another node or another way, {@link TableWatcher} finds.
 */
public final class SchemaGuard {
    private SchemaGuard() {}

    /**
     * To be called by the coordinator once the statement is authorized and validated.
     *
     * @throws InvalidRequestException if an enabled table could not be served after it
     */
    public static void check(AlterSchemaStatement statement) {
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
            }
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
