/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of a partition and how many of them a write and a read need. Immutable and shared: one instance per
 * distinct set.
 *
 * @param members sorted, without repetition
 * @param writeQuorum w: a mutation takes effect at the w-th replica that applies it; 1 &lt;= w &lt;= n
 * @param strictAtHome whether strict reads are answered by leases ({@link Leases}), and writes wait for their holders
 */
public record ReplicaGroup(List<NodeId> members, int writeQuorum, boolean strictAtHome) {
    public ReplicaGroup(List<NodeId> members, int writeQuorum) {
        this(members, writeQuorum, false);
    }

    public ReplicaGroup {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a replica group needs at least one member");
        }
        if (writeQuorum < 1 || writeQuorum > members.size()) {
            throw new IllegalArgumentException(
                    "a write quorum of " + writeQuorum + " does not fit " + members.size() + " replicas");
        }
        members = members.stream().sorted().distinct().toList();
    }

    // By hand: one instance stands for each set, so nearly all that are compared are one and the same.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ReplicaGroup that
                        && writeQuorum == that.writeQuorum
                        && strictAtHome == that.strictAtHome
                        && members.equals(that.members));
    }

    @Override
    public int hashCode() {
        return 31 * members.hashCode() + (strictAtHome ? -writeQuorum : writeQuorum);
    }

    /** Part of the digests of rings that nodes of several releases compare: it must not change. */
    @Override
    public String toString() {
        return "ReplicaGroup[members=" + members + ", writeQuorum=" + writeQuorum
                + (strictAtHome ? ", strictAtHome]" : "]");
    }

    /** w = floor(n/2) + 1, and so r = n - w + 1. */
    public static ReplicaGroup majority(NodeId... members) {
        return new ReplicaGroup(Arrays.asList(members), members.length / 2 + 1);
    }

    /** w = 1, r = n: writes take effect at the first replica, reads need word from all. */
    public static ReplicaGroup writeOneReadAll(NodeId... members) {
        return new ReplicaGroup(Arrays.asList(members), 1);
    }

    public int size() {
        return members.size();
    }

    /** r = n - w + 1: any r replicas include one of any w. */
    public int readQuorum() {
        return members.size() - writeQuorum + 1;
    }

    /** The member's place in {@link #members}, or -1. */
    public int indexOf(NodeId node) {
        // Groups have three to seven members: a scan beats a map.
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).equals(node)) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(NodeId node) {
        return indexOf(node) >= 0;
    }
}
