/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that the schema declares enabled. Read on every request, without locks; read anew from the schema by one
 * thread at a time.
 */
public final class EnabledTables {
    private static final Logger log = LoggerFactory.getLogger(EnabledTables.class);

    private volatile Map<TableId, TableOptions> tables = Map.of();

    /** False means: nothing to do for MeteorShower, whatever the statement. */
    public boolean none() {
        return tables.isEmpty();
    }

    public @Nullable TableOptions of(TableId table) {
        return tables.get(table);
    }

    public Map<TableId, TableOptions> all() {
        return tables;
    }

    public Map<TableId, WriteQuorum> writeQuorums() {
        return quorumsOf(tables);
    }

    /** What the schema declares, whether this node has begun to track it or not. */
    public static Map<TableId, WriteQuorum> declaredQuorums() {
        return quorumsOf(declared());
    }

    private static Map<TableId, WriteQuorum> quorumsOf(Map<TableId, TableOptions> tables) {
        Map<TableId, WriteQuorum> quorums = new HashMap<>();
        tables.forEach((id, options) -> quorums.put(id, options.writeQuorum()));
        return quorums;
    }

    /** Reads the schema. */
    static Map<TableId, TableOptions> declared() {
        Map<TableId, TableOptions> declared = new HashMap<>();
        for (String name : Schema.instance.getUserKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (keyspace == null) {
                continue;
            }
            for (TableMetadata table : keyspace.tables) {
                TableOptions options = optionsOf(table);
                if (options != null) {
                    declared.put(table.id, options);
                }
            }
        }
        return declared;
    }

    void replace(Map<TableId, TableOptions> next) {
        tables = Map.copyOf(next);
    }

    private static @Nullable TableOptions optionsOf(TableMetadata table) {
        try {
            return TableOptions.of(table);
        } catch (IllegalArgumentException e) {
            // Enabled, but in a way that is not understood here. The strictest reading keeps the promise of the others.
            log.error("MeteorShower: {}. Until then the table is served with the default options.", e.getMessage());
            return TableOptions.DEFAULT;
        }
    }
}
