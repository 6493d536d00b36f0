/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/** Enabled tables, in tests that have no node whose schema says so. */
public final class GivenTables {
    private GivenTables() {}

    /** From now on these are enabled, and no others; the node follows them. */
    public static void enable(EnabledTables enabled, TableOptions options, TableMetadata... tables) {
        Map<TableId, TableOptions> all = new HashMap<>();
        Map<TableId, UUID> names = new HashMap<>();
        for (TableMetadata table : tables) {
            all.put(table.id, options);
            names.put(table.id, options.epoch().idOf(table.id));
        }
        enabled.follow(names);
        enabled.replace(all);
    }

    /** Enabled, and not followed yet by this node. */
    public static void unfollow(EnabledTables enabled) {
        enabled.follow(Map.of());
    }

    /** From now on the tables cannot be served. */
    public static void obstruct(EnabledTables enabled, TableMetadata table, String obstacle) {
        enabled.obstructed(Map.of(table.id, obstacle));
    }
}
