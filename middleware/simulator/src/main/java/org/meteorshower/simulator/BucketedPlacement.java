/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Set;
import java.util.UUID;
import org.meteorshower.protocol.GroupChange;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;

/** A placement in which two partitions share a bucket. */
record BucketedPlacement(Placement placement) implements Placement {
    private static final int EACH = 2;

    static int bucket(PartitionKey key) {
        return Session.partitionOf(key) / EACH;
    }

    @Override
    public int bucketOf(PartitionKey key) {
        return bucket(key);
    }

    @Override
    public ReplicaGroup replicasOf(PartitionKey key) {
        return placement.replicasOf(key);
    }

    @Override
    public Set<ReplicaGroup> groupsOf(UUID table) {
        return placement.groupsOf(table);
    }

    @Override
    public Set<GroupChange> changes(UUID from, UUID to) {
        return placement.changes(from, to);
    }
}
