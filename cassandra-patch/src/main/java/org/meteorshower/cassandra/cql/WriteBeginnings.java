/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.WriteTicket;

/**
 * Where a write gets its timestamp: at this node, but where it goes into partitions of tables with {@code strict=home}
 * that this node does not hold. Then a replica of all of them gives it. Thread-safe.
 */
public final class WriteBeginnings {
    private final NodeId self;
    private final Placement placement;
    private final Here here;
    private final Elsewhere elsewhere;

    /** Begins writes at this node. */
    @FunctionalInterface
    public interface Here {
        /** Blocks at most until the deadline. */
        WriteTicket begin(List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
                throws RequestRefusedException, InterruptedException;
    }

    /** Begins writes at one of several others. */
    @FunctionalInterface
    public interface Elsewhere {
        /** Blocks at most until the deadline. */
        WriteTicket begin(
                Collection<NodeId> replicas,
                List<PartitionKey> keys,
                long tokenMicros,
                boolean strict,
                long deadlineNanos)
                throws RequestRefusedException, InterruptedException;
    }

    public WriteBeginnings(NodeId self, Placement placement, Here here, Elsewhere elsewhere) {
        this.self = self;
        this.placement = placement;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    WriteTicket begin(List<PartitionKey> keys, Session session, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        List<NodeId> replicas = List.of();
        boolean all = true;
        boolean mustElsewhere = false;
        for (int i = 0; i < keys.size(); i++) {
            ReplicaGroup group = placement.replicasOf(keys.get(i));
            all &= group.strictAtHome();
            mustElsewhere |= group.strictAtHome() && !group.contains(self);
            replicas = i == 0 ? group.members() : common(replicas, group);
        }
        if (!mustElsewhere) {
            return here.begin(keys, session.tokenMicros(), session.isStrict(), deadlineNanos);
        } else if (!all) {
            // A replica acknowledges to this node by partition and timestamp, and this node may give an ordinary
            // partition the very same one.
            throw Refusal.refused("a batch writes into partitions of a table with strict=home, of which this node holds"
                    + " no replica, and into others: write these apart, or send the batch to a replica");
        } else if (replicas.isEmpty()) {
            throw Refusal.refused("the partitions of a batch that are of tables with strict=home have no replica in"
                    + " common, which could give it its timestamp: write them apart");
        }
        return elsewhere.begin(replicas, keys, session.tokenMicros(), session.isStrict(), deadlineNanos);
    }

    private static List<NodeId> common(List<NodeId> some, ReplicaGroup group) {
        List<NodeId> common = new ArrayList<>(some);
        common.removeIf(each -> !group.contains(each));
        return common;
    }
}
