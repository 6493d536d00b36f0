/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/** Every name that the table ever had in a run, and where its partitions lived under it: what the verifiers go by. */
final class Epochs implements Placement {
    private final SimulationPlan plan;
    private final Map<UUID, List<ReplicaGroup>> groups = new HashMap<>();
    private final Map<String, List<ReplicaGroup>> byDigest = new HashMap<>();

    /** An epoch's name and place, which every request asks for. */
    private record Named(UUID name, List<ReplicaGroup> groups) {}

    private final IdentityHashMap<Epoch, Named> named = new IdentityHashMap<>();

    Epochs(SimulationPlan plan) {
        this.plan = plan;
    }

    /** The replica sets of a ring, the same list for the same members. */
    List<ReplicaGroup> groups(Ring ring) {
        return byDigest.computeIfAbsent(ring.digest(), digest -> ring.groups(plan.cluster()));
    }

    /** The name of the table in this epoch. */
    UUID name(Epoch epoch) {
        Named found = named.computeIfAbsent(epoch, e -> new Named(e.name(plan.bug()), groups(e.ring())));
        groups.put(found.name, found.groups);
        return found.name;
    }

    @Override
    public ReplicaGroup replicasOf(PartitionKey key) {
        return groupOf(key.table(), Session.partitionOf(key));
    }

    ReplicaGroup groupOf(UUID name, int partition) {
        List<ReplicaGroup> found = groups.get(name);
        if (found == null) {
            throw new IllegalStateException("nobody declared " + name);
        }
        return found.get(partition % Ring.GROUPS);
    }
}
