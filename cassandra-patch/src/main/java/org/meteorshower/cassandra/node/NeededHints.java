/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;

/**
 * No hint is kept for a peer that was left behind: what this node, a replica too, retires without the peer is noted,
 * and the peer is filled with it when it is back. Hints would bring it all once more, one mutation at a time, each of
 * them news for everybody. Thread-safe.
 */
final class NeededHints implements Hooks.HintFilter {
    private final NodeId self;
    private final Function<TableId, @Nullable UUID> nameOf;
    private final Function<PartitionKey, @Nullable ReplicaGroup> groupOf;
    private final Function<InetAddressAndPort, @Nullable UUID> hostOf;
    private volatile Set<NodeId> leftBehind = Set.of();

    /**
     * Nobody is left behind yet.
     *
     * @param nameOf a table in the middleware; null where it is not enabled
     * @param groupOf who holds a partition
     * @param hostOf who is at an address; null where nobody is known to be
     */
    NeededHints(
            NodeId self,
            Function<TableId, @Nullable UUID> nameOf,
            Function<PartitionKey, @Nullable ReplicaGroup> groupOf,
            Function<InetAddressAndPort, @Nullable UUID> hostOf) {
        this.self = self;
        this.nameOf = nameOf;
        this.groupOf = groupOf;
        this.hostOf = hostOf;
    }

    /** From now on Cassandra asks. */
    static NeededHints install(NodeId self, EnabledTables tables, RingPlacement placement) {
        NeededHints hints = new NeededHints(
                self, tables::idOf, placement::groupOf, StorageService.instance.getTokenMetadata()::getHostId);
        Hooks.filter(hints);
        return hints;
    }

    /** To be called now and then: one that is back, and late here, gets what is in flight from those who have it. */
    void look(MeteorShower meteorShower) {
        leftBehind(meteorShower.inspect(CoreView::leftBehind));
    }

    void leftBehind(Set<NodeId> peers) {
        leftBehind = Set.copyOf(peers);
    }

    @Override
    public boolean isNeeded(Mutation mutation, Replica target) {
        if (leftBehind.isEmpty()) {
            return true;
        }
        NodeId peer = leftBehindAt(target.endpoint());
        return peer == null
                || mutation.getPartitionUpdates().stream().anyMatch(update -> !isHeldHereAndBy(peer, update));
    }

    private @Nullable NodeId leftBehindAt(InetAddressAndPort endpoint) {
        UUID id = hostOf.apply(endpoint);
        NodeId peer = id == null ? null : new NodeId(id);
        return peer != null && leftBehind.contains(peer) ? peer : null;
    }

    private boolean isHeldHereAndBy(NodeId peer, PartitionUpdate update) {
        UUID name = nameOf.apply(update.metadata().id);
        if (name == null) {
            return false;
        }
        ReplicaGroup group =
                groupOf.apply(CassandraUpdate.keyOf(name, update.partitionKey().getKey()));
        return group != null && group.contains(self) && group.contains(peer);
    }
}
