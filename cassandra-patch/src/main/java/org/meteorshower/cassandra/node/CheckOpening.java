/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.db.SystemKeyspace;
import org.meteorshower.cassandra.check.CheckedCells;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.onlinecheck.CheckLimits;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;

/** Makes the node's online checker as the configuration wants it. */
final class CheckOpening {
    private CheckOpening() {}

    static OnlineCheck make(
            PluginConfig config,
            NodeId self,
            RingPlacement placement,
            MeteorShower meteorShower,
            EnabledTables enabled) {
        OnlineCheck check = new OnlineCheck(
                self,
                placement,
                meteorShower,
                CheckLimits.ofAnswers(config.check().maxReads()),
                config.settings().maxAheadMicros(),
                CheckedCells::of,
                () -> truncations(enabled));
        check.start();
        if (config.check().share() > 0) {
            check.sample(config.check().share());
        }
        return check;
    }

    private static Map<UUID, Long> truncations(EnabledTables enabled) {
        Map<UUID, Long> at = new HashMap<>();
        enabled.all().keySet().forEach(table -> {
            UUID name = enabled.idOf(table);
            if (name != null) {
                at.put(name, SystemKeyspace.getTruncatedAt(table));
            }
        });
        return at;
    }
}
