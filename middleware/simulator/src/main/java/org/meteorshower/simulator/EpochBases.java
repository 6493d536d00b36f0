/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;

/**
 * What partitions held when an epoch of the table began, as the oracle sees it: whatever any replica's store held when
 * it began to follow. All replicas shall hold that when the epoch is served, and show it at every cut.
 */
final class EpochBases {
    private record Follower(PartitionKey key, int node) {}

    private final Placement placement;
    private final Map<PartitionKey, TreeMap<Integer, Cell>> bases = new HashMap<>();
    private final Map<PartitionKey, Long> firstCuts = new HashMap<>();
    private final Set<Follower> followers = new HashSet<>();
    private final Map<PartitionKey, Set<PartitionKey>> keysInEpochs = new HashMap<>();

    EpochBases(Placement placement) {
        this.placement = placement;
    }

    /** A node begins to follow an epoch, with this in its store. Counts the first time. */
    void followed(int node, UUID name, CellStore store, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            PartitionKey plain = Session.key(partition);
            PartitionKey key = new PartitionKey(name, plain.bytes());
            if (placement.replicasOf(key).contains(NodeId.of(node)) && followers.add(new Follower(key, node))) {
                TreeMap<Integer, Cell> base = bases.computeIfAbsent(key, k -> new TreeMap<>());
                store.partition(plain).forEach((cell, value) -> base.merge(cell, value, Cell::latest));
                inEpoch(key);
            }
        }
    }

    /** The partition is heard of in some epoch, by its key there. */
    void inEpoch(PartitionKey key) {
        if (!key.table().equals(SimulatedNode.TABLE)) {
            keysInEpochs
                    .computeIfAbsent(new PartitionKey(SimulatedNode.TABLE, key.bytes()), k -> new LinkedHashSet<>())
                    .add(key);
        }
    }

    void read(PartitionKey key, long cutMicros) {
        if (!key.table().equals(SimulatedNode.TABLE)) {
            firstCuts.merge(key, cutMicros, Math::min);
        }
    }

    /** The partition's keys in all epochs that it was heard of in; none where partitions stay where they are. */
    Set<PartitionKey> keysInEpochs(PartitionKey plain) {
        return keysInEpochs.getOrDefault(plain, Set.of());
    }

    /** What the partition held as the epoch began. */
    Map<Integer, Cell> of(PartitionKey key) {
        TreeMap<Integer, Cell> base = bases.get(key);
        return base == null ? Map.of() : base;
    }

    /** The first cut that the partition was read at in the epoch; {@link Long#MAX_VALUE} where it was not. */
    long beginMicros(PartitionKey key) {
        return firstCuts.getOrDefault(key, Long.MAX_VALUE);
    }
}
