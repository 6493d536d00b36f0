/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.LinkedHashSet;
import java.util.Set;

/** Who holds some partition of a table under one of its names, and under the next. */
public record GroupChange(ReplicaGroup before, ReplicaGroup after) {
    boolean isGainedBy(NodeId node) {
        return after.contains(node) && !before.contains(node);
    }

    Set<NodeId> stayed() {
        Set<NodeId> stayed = new LinkedHashSet<>(before.members());
        stayed.retainAll(after.members());
        return stayed;
    }

    /**
     * Whether what was visible under the earlier name is seen by each of Cassandra's own reads at QUORUM, once as many
     * of those that stay as {@link #untilPlain} asks for have carried over what they had in flight: any such read
     * includes one of them, and so does any write quorum of before.
     */
    boolean keepsQuorums() {
        int needed = untilPlain(after);
        return stayed().size() >= needed && before.readQuorum() <= needed && after.writeQuorum() >= needed;
    }

    /**
     * Whether of each majority of before, of each write quorum and of all that {@link #untilPlain} asks for, one stays:
     * then what each read at QUORUM saw each read of all replicas sees.
     */
    boolean keepsSome() {
        int left = before.size() - stayed().size();
        return left < Math.min(before.writeQuorum(), untilPlain(before));
    }

    /** How many replicas each of Cassandra's own reads at QUORUM asks. */
    static int quorum(ReplicaGroup group) {
        return group.size() / 2 + 1;
    }

    /** How many replicas there are in each majority of these, at least. */
    static int untilPlain(ReplicaGroup group) {
        return group.size() - group.size() / 2;
    }
}
