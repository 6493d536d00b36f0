/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/** A table whose partitions stay where they are. */
final class FixedTable implements TableView {
    private final SimulatedNode node;
    private final Placement placement;
    private final Set<NodeId> everyone;
    private final List<SimulatedNode> nodes;
    private final IdentityHashMap<ReplicaGroup, List<SimulatedNode>> nodesOfGroup = new IdentityHashMap<>();

    FixedTable(SimulatedNode node, Placement placement, Set<NodeId> everyone, List<SimulatedNode> nodes) {
        this.node = node;
        this.placement = placement;
        this.everyone = everyone;
        this.nodes = nodes;
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public void recover(Collection<UUID> journaled) {}

    @Override
    public void begin(Collection<UUID> journaled) {
        node.perform(new Event.PeersChanged(everyone));
        if (journaled.isEmpty()) {
            node.perform(new Event.TableEnabled(SimulatedNode.TABLE, true));
        }
    }

    @Override
    public UUID name() {
        return SimulatedNode.TABLE;
    }

    @Override
    public Collection<UUID> names() {
        return List.of(SimulatedNode.TABLE);
    }

    @Override
    public boolean isOnRing() {
        return true;
    }

    @Override
    public List<SimulatedNode> replicas(PartitionKey key) {
        return nodesOfGroup.computeIfAbsent(placement.replicasOf(key), group -> group.members().stream()
                .map(id -> nodes.get(SimulatedNode.numberOf(id)))
                .toList());
    }

    @Override
    public List<SimulatedNode> targets(PartitionKey key) {
        return replicas(key);
    }

    @Override
    public int required(PartitionKey key) {
        return 0; // the protocol's own count is enough
    }

    @Override
    public boolean refuses() {
        return false;
    }

    @Override
    public void admit(CellUpdate update, Consumer<CellUpdate> in) {
        in.accept(update);
    }

    @Override
    public void out() {}

    @Override
    public PartitionKey keyOf(PartitionKey key) {
        return key;
    }
}
