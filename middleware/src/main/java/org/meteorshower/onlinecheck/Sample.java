/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Update;

/** The partitions that are watched, by a hash of their keys, and where what is seen of them goes. */
final class Sample {
    private final NodeId self;
    private final Placement placement;
    private final double share;
    private final Consumer<Observation> sink;

    Sample(NodeId self, Placement placement, double share, Consumer<Observation> sink) {
        this.self = self;
        this.placement = placement;
        this.share = share;
        this.sink = sink;
    }

    NodeId self() {
        return self;
    }

    /** Thread-safe. */
    boolean has(PartitionKey key) {
        int mixed = key.hashCode() * 0x9e3779b9;
        return ((mixed ^ (mixed >>> 15)) & 0x7fffffff) < share * 0x1p31;
    }

    void tell(Observation observation) {
        sink.accept(observation);
    }

    void broken(Violation.Kind kind, @Nullable PartitionKey key, String text) {
        tell(new Observation.Broken(new Violation(kind, key, text)));
    }

    /** A replica has stamped a mutation of a partition that is in the sample. */
    void stamped(PartitionKey key, MutationId id, NodeId by, long appliedMicros, @Nullable Update update) {
        ReplicaGroup group = placement.replicasOf(key);
        if (group.contains(by) && group.contains(self)) {
            tell(new Observation.Stamped(key, group, id, by, appliedMicros, update));
        }
    }
}
