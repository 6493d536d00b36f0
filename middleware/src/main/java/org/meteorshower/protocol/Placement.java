/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Tells where partitions live. Pure: the answers change only between two steps of the protocol, never within one. */
@FunctionalInterface
public interface Placement {
    /** As many as there can be. */
    int BUCKETS = 1 << 14;

    ReplicaGroup replicasOf(PartitionKey key);

    /**
     * In which part of its table the partition is, by its token, the same at all nodes: 0 up to {@link #BUCKETS}, or
     * negative where that is not known.
     */
    default int bucketOf(PartitionKey key) {
        return -1;
    }

    /** All groups that hold partitions of the table; empty where there is but one for all partitions. */
    default Set<ReplicaGroup> groupsOf(UUID table) {
        return Set.of();
    }

    /**
     * Who holds the partitions of a table under an earlier name and under the next one, each pair once; empty where one
     * of the names is not known here.
     */
    default Set<GroupChange> changes(UUID from, UUID to) {
        return groupsOf(to).stream().map(group -> new GroupChange(group, group)).collect(Collectors.toSet());
    }
}
