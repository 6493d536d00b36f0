/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.background.Progress;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.RingFollower;
import org.meteorshower.cassandra.tables.TableRepairs;
import org.meteorshower.cassandra.views.TablesTable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;

/** How tables do at this node, as the protocol core sees it. Thread-safe. */
record TableCondition(
        NodeId self,
        RingPlacement placement,
        EnabledTables enabled,
        MeteorShower meteorShower,
        TableRepairs repairs,
        RingFollower follower)
        implements TablesTable.Condition {
    private static final String STOPPED =
            "the plugin has stopped on this node: its log says why (STOPPED). Mend that, then restart" + " the node";

    static TableCondition of(Foundation ground, ProtocolPart protocol, TablesPart tables) {
        return new TableCondition(
                ground.self,
                protocol.placement,
                tables.enabled,
                protocol.meteorShower,
                tables.repairs,
                tables.follower);
    }

    @Override
    public @Nullable String notReady(TableMetadata table) {
        if (!meteorShower.isRunning()) {
            return STOPPED; // the core stands still in what it was then
        }
        UUID id = enabled.idOf(table.id);
        Set<ReplicaGroup> groups = id == null ? Set.of() : placement.groupsOf(id);
        if (id == null || groups.isEmpty()) {
            return "this node has not caught up with it, or with a change of the ring, yet";
        }
        boolean replica = false;
        for (ReplicaGroup group : groups) {
            if (group.contains(self)) {
                replica = true;
                String reason = notReady(id, group);
                if (reason != null) {
                    return reason;
                }
            }
        }
        return replica ? null : FORWARDED;
    }

    @SuppressWarnings("NullAway") // the middleware's inspect passes a null through
    private @Nullable String notReady(UUID id, ReplicaGroup group) {
        return meteorShower.inspect(view -> {
            String reason = view.notReady(id, group);
            return reason == null ? view.whyLeftBehind(group) : reason;
        });
    }

    @Override
    public boolean isAboutToMove(TableMetadata table) {
        UUID id = enabled.idOf(table.id);
        return id != null && !follower.goesByItsRing(table.id, id);
    }

    @Override
    public @Nullable Progress repair(TableMetadata table) {
        UUID id = enabled.idOf(table.id);
        return id == null ? null : repairs.progressOf(id);
    }

    @Override
    public void baselineConfirmed(TableMetadata table) {
        UUID id = enabled.idOf(table.id);
        if (id == null) {
            throw new InvalidRequestException("MeteorShower: this node does not follow " + table
                    + " yet: try again when its state in meteorshower.tables asks for the baseline");
        }
        meteorShower.baselineConfirmed(id);
    }
}
