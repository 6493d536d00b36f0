/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.GroupChange;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * The protocol's view of Cassandra's ring: a snapshot that is replaced as a whole. Read on any thread; replaced under
 * the middleware's lock, so that it never changes within one step of the protocol.
 */
public final class RingPlacement implements Placement {
    /** @param tables those that are followed */
    record Snapshot(Map<UUID, TablePlacement> tables) {
        /** The nodes that share a partition of this table with this one. */
        Set<NodeId> peersOf(NodeId self, UUID table) {
            TablePlacement placed = tables.get(table);
            Set<NodeId> peers = new HashSet<>();
            for (ReplicaGroup group : placed == null ? Set.<ReplicaGroup>of() : new HashSet<>(placed.groups())) {
                if (group.contains(self)) {
                    peers.addAll(group.members());
                }
            }
            peers.remove(self);
            return peers;
        }
    }

    private final ReplicaGroup selfOnly;
    private volatile Snapshot snapshot = new Snapshot(new HashMap<>());

    public RingPlacement(NodeId self) {
        this.selfOnly = ReplicaGroup.majority(self);
    }

    @Override
    public ReplicaGroup replicasOf(PartitionKey key) {
        TablePlacement table = snapshot.tables.get(key.table());
        // A table that was just dropped or disabled: what is still on its way concerns nobody else.
        return table == null ? selfOnly : table.groupOf(key.bytes());
    }

    @Override
    public int bucketOf(PartitionKey key) {
        TablePlacement table = snapshot.tables.get(key.table());
        return table == null ? Buckets.UNKNOWN : table.bucketOf(key.bytes());
    }

    /** Who holds the partition, or null if its table is not enabled. */
    public @Nullable ReplicaGroup groupOf(PartitionKey key) {
        TablePlacement table = snapshot.tables.get(key.table());
        return table == null ? null : table.groupOf(key.bytes());
    }

    /** All the groups that hold partitions of the table; empty if it is not enabled. */
    @Override
    public Set<ReplicaGroup> groupsOf(UUID table) {
        TablePlacement found = snapshot.tables.get(table);
        return found == null ? Set.of() : new HashSet<>(found.groups());
    }

    /**
     * Who holds the table between two tokens, in their order; empty if it is not enabled.
     *
     * @param after whether the first one is not included
     * @param to included; the least token there is stands for the end of the ring
     */
    public List<Piece> piecesOver(UUID table, Token from, boolean after, Token to) {
        TablePlacement found = snapshot.tables.get(table);
        return found == null ? List.of() : found.piecesOver(from, after, to);
    }

    @Override
    public Set<GroupChange> changes(UUID from, UUID to) {
        TablePlacement before = snapshot.tables.get(from);
        TablePlacement after = snapshot.tables.get(to);
        return before == null || after == null ? Set.of() : before.changesTo(after);
    }

    /**
     * The ranges of the table that this node holds and the sender does not, by the epoch that this node follows; none
     * if the table is not enabled.
     *
     * @param sender null for one that is no node of the ring
     */
    public List<Range<Token>> heldWithout(@Nullable NodeId sender, NodeId self, UUID table) {
        TablePlacement found = snapshot.tables.get(table);
        return found == null ? List.of() : found.heldWithout(sender, self);
    }

    /**
     * The ranges that the node holds by one name of a table, and did not hold by an earlier one; none where one of them
     * is not placed here.
     */
    public List<Range<Token>> gained(UUID before, UUID after, NodeId node) {
        TablePlacement earlier = snapshot.tables.get(before);
        TablePlacement now = snapshot.tables.get(after);
        return earlier == null || now == null ? List.of() : now.gainedSince(earlier, node);
    }

    Snapshot snapshot() {
        return snapshot;
    }

    void install(Snapshot next) {
        snapshot = next;
    }
}
