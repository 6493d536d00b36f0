/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * Who is on the simulated ring, and who is on the way there or from there. Each data centre's members are ranked anew
 * for each partition by a hash of both, so that who joins takes partitions over and moves nothing else, as on
 * Cassandra's ring.
 *
 * @param members node numbers
 * @param joining the node that data is streamed to, -1 for none
 * @param leaving the node whose partitions others get, -1 for none; with one that joins, it is replaced by that one
 */
record Ring(TreeSet<Integer> members, int joining, int leaving) {
    /** As many as there are different replica sets; partitions beyond share them. */
    static final int GROUPS = 12;

    static Ring of(Iterable<Integer> members) {
        TreeSet<Integer> sorted = new TreeSet<>();
        members.forEach(sorted::add);
        return new Ring(sorted, -1, -1);
    }

    boolean isMoving() {
        return joining >= 0 || leaving >= 0;
    }

    Ring moving(int join, int leave) {
        return new Ring(members, join, leave);
    }

    /** What it is once the streaming is over. */
    Ring moved() {
        TreeSet<Integer> next = new TreeSet<>(members);
        next.remove(leaving);
        if (joining >= 0) {
            next.add(joining);
        }
        return new Ring(next, -1, -1);
    }

    /** As it was before anything began to move. */
    Ring still() {
        return new Ring(members, -1, -1);
    }

    /** What a digest of who holds which partition stands for. */
    String digest() {
        return members.toString();
    }

    List<ReplicaGroup> groups(SimulationPlan.Cluster cluster) {
        List<ReplicaGroup> groups = new ArrayList<>();
        for (int partition = 0; partition < GROUPS; partition++) {
            groups.add(new ReplicaGroup(
                    replicas(cluster, partition).stream().map(NodeId::of).toList(),
                    cluster.writeQuorum(),
                    cluster.strictAtHome()));
        }
        return groups;
    }

    private List<Integer> replicas(SimulationPlan.Cluster cluster, int partition) {
        List<Integer> replicas = new ArrayList<>();
        for (int dc = 0; dc < cluster.nodesPerDc().size(); dc++) {
            int here = dc;
            members.stream()
                    .filter(node -> cluster.dcOf(node) == here)
                    .sorted(Comparator.comparingLong(node -> mixed(partition, node)))
                    .limit(cluster.replicasPerDc().get(dc))
                    .forEach(replicas::add);
        }
        return replicas;
    }

    private static long mixed(int partition, int node) {
        long mixed = (partition * 31L + node + 1) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
        mixed *= 0xBF58476D1CE4E5B9L;
        return mixed ^ (mixed >>> 32);
    }
}
