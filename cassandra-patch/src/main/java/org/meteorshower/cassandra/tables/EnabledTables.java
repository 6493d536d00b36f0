/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that the schema declares enabled. Read on every request, without locks; read anew from the schema by one
 * thread at a time.
 */
public final class EnabledTables {
    private static final Logger log = LoggerFactory.getLogger(EnabledTables.class);

    private volatile Map<TableId, TableOptions> tables = Map.of();
    private volatile Map<TableId, UUID> ids = Map.of();
    private volatile Set<TableId> beginning = Set.of();
    private volatile Set<TableId> aboutToBegin = Set.of();
    private volatile Map<TableId, String> obstacles = Map.of();

    /** By what the middleware calls the tables; those alone that do not let all hold leases. */
    private volatile Map<UUID, Set<String>> leaseHolders = Map.of();

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

    /**
     * What the middleware calls the table since this node follows its present epoch; null where this node does not
     * follow it (yet), and can neither read nor write it.
     */
    public @Nullable UUID idOf(TableId table) {
        return ids.get(table);
    }

    /** The data centres that are to hold leases of the table; none stands for all. */
    Set<String> leaseHoldersOf(UUID table) {
        return leaseHolders.getOrDefault(table, Set.of());
    }

    public Map<TableId, UUID> ids() {
        return ids;
    }

    /** Whether it has a name here that the middleware is about to be told: requests wait. */
    public boolean isBeginning(TableId table) {
        return beginning.contains(table);
    }

    void beginning(Set<TableId> tables) {
        beginning = Set.copyOf(tables);
    }

    /** Whether this node waits for ordinary requests to end before it begins with the table: others wait. */
    public boolean isAboutToBegin(TableId table) {
        return aboutToBegin.contains(table);
    }

    void aboutToBegin(Set<TableId> tables) {
        aboutToBegin = Set.copyOf(tables);
    }

    /** What the middleware calls the tables' present epochs, by the schema, whether this node follows them or not. */
    public Set<UUID> declaredIds() {
        Set<UUID> declared = new HashSet<>();
        tables.forEach((id, options) -> declared.add(options.epoch().idOf(id)));
        return declared;
    }

    /** Why an enabled table can no longer be served, as the rest of a sentence that begins with its name, or null. */
    public @Nullable String obstacleTo(TableId table) {
        return obstacles.get(table);
    }

    Map<TableId, String> obstacles() {
        return obstacles;
    }

    void follow(Map<TableId, UUID> followed) {
        ids = Map.copyOf(followed);
        nameLeaseHolders();
    }

    void obstructed(Map<TableId, String> found) {
        obstacles = Map.copyOf(found);
    }

    /** What the schema declares, whether this node has begun to track it or not. */
    public static List<PlacedTable> declaredPlaces() {
        List<PlacedTable> places = new ArrayList<>();
        declared().forEach((id, options) -> places.add(placeOf(id, options)));
        return places;
    }

    public static PlacedTable placeOf(TableId table, TableOptions options) {
        TableEpoch epoch = options.epoch();
        return new PlacedTable(epoch.idOf(table), table, options.rules(), epoch.ring());
    }

    /** Reads the schema. */
    public static Map<TableId, TableOptions> declared() {
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
        nameLeaseHolders();
    }

    private void nameLeaseHolders() {
        Map<UUID, Set<String>> named = new HashMap<>();
        ids.forEach((id, name) -> {
            TableOptions options = tables.get(id);
            if (options != null && !options.leaseHolders().isEmpty()) {
                named.put(name, options.leaseHolders());
            }
        });
        leaseHolders = Map.copyOf(named);
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
