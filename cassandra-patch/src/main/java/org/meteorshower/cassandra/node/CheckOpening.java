/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.db.SystemKeyspace;
import org.meteorshower.cassandra.check.CheckedCells;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.onlinecheck.CheckLimits;
import org.meteorshower.runtime.ByteAccount;

/** Makes the node's online checker as the configuration wants it. */
final class CheckOpening {
    /** Of its part of the heap, what waits to be looked at. */
    private static final int QUEUE_PART = 4;

    private CheckOpening() {}

    static OnlineCheck make(Foundation ground, ProtocolPart protocol, EnabledTables enabled) {
        PluginConfig config = ground.config;
        MemoryBudget memory = ground.memory;
        long bytes = memory.limit(MemoryUser.ONLINE_CHECK);
        OnlineCheck check = new OnlineCheck(
                ground.self,
                protocol.placement,
                protocol.meteorShower,
                CheckLimits.ofAnswers(config.check().maxReads()).within(bytes - bytes / QUEUE_PART),
                config.settings().maxAheadMicros(),
                CheckedCells::of,
                new ByteAccount(bytes / QUEUE_PART),
                () -> truncations(enabled));
        memory.register(MemoryUser.ONLINE_CHECK, check::heldBytes, check::dropped);
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
