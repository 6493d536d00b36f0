/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.WriteTicket;

/**
 * Where a write gets its timestamp: at this node, but where it goes into partitions of tables with {@code strict=home}
 * of which this node holds no replica, or no lease, or is not to hold one. Then another replica of all of them gives
 * it. Thread-safe.
 */
public final class WriteBeginnings {
    /** More than it takes to be promised something after an idle time, by far. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** So long only one write in a while is tried at this node. */
    private static final long NOT_HELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long HOLDS = Long.MIN_VALUE;

    private final NodeId self;
    private final Placement placement;
    private final LeaseHolders holders;
    private final Here here;
    private final Elsewhere elsewhere;

    /** {@link #HOLDS}, or from when on the next write is tried here. */
    private final AtomicLong tryHereNanos = new AtomicLong(HOLDS);

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

    public WriteBeginnings(NodeId self, Placement placement, LeaseHolders holders, Here here, Elsewhere elsewhere) {
        this.self = self;
        this.placement = placement;
        this.holders = holders;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    WriteTicket begin(List<PartitionKey> keys, Session session, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        boolean atHome = false;
        boolean isReplica = true;
        boolean isHolder = true;
        for (PartitionKey key : keys) {
            ReplicaGroup group = placement.replicasOf(key);
            atHome |= group.strictAtHome();
            isReplica &= !group.strictAtHome() || group.contains(self);
            isHolder &= !group.strictAtHome() || holders.isOne(key.table(), self);
        }
        Asked asked = new Asked(keys, session, deadlineNanos);
        if (!atHome) {
            return here(asked, deadlineNanos);
        }
        List<NodeId> others = othersOfAll(keys);
        if (!isReplica && others.isEmpty()) {
            throw Refusal.refused("the partitions of a batch into tables with strict=home have no replica in common,"
                    + " which could give it its timestamp: write them apart");
        } else if (!isReplica) {
            return elsewhere(others, asked, deadlineNanos);
        } else if (others.isEmpty()) {
            return here(asked, deadlineNanos);
        }
        Collection<NodeId> first = isHolder ? List.of() : holdersAmong(others, keys);
        return first.isEmpty() ? hereOrElsewhere(others, asked) : elsewhereOrHere(first, asked);
    }

    private record Asked(List<PartitionKey> keys, Session session, long deadlineNanos) {}

    private WriteTicket here(Asked asked, long deadlineNanos) throws RequestRefusedException, InterruptedException {
        return here.begin(asked.keys, asked.session.tokenMicros(), asked.session.isStrict(), deadlineNanos);
    }

    private WriteTicket elsewhere(List<NodeId> others, Asked asked, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        Collection<NodeId> first = holdersAmong(others, asked.keys);
        return at(first.isEmpty() ? others : first, asked, deadlineNanos);
    }

    private WriteTicket at(Collection<NodeId> replicas, Asked asked, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        return elsewhere.begin(
                replicas, asked.keys, asked.session.tokenMicros(), asked.session.isStrict(), deadlineNanos);
    }

    private Collection<NodeId> holdersAmong(Collection<NodeId> nodes, List<PartitionKey> keys) {
        Collection<NodeId> found = nodes;
        for (PartitionKey key : keys) {
            found = holders.among(key.table(), found);
        }
        return found;
    }

    /** This node is not to hold a lease. It does where nobody else can begin the write. */
    private WriteTicket elsewhereOrHere(Collection<NodeId> holders, Asked asked)
            throws RequestRefusedException, InterruptedException {
        long now = System.nanoTime();
        try {
            return at(holders, asked, now + (asked.deadlineNanos - now) / 2);
        } catch (RequestRefusedException e) {
            if (e.failure() != Effect.Failure.NOT_READY && e.failure() != Effect.Failure.TIMED_OUT) {
                throw e;
            }
            return here(asked, asked.deadlineNanos);
        }
    }

    /** This node could begin it, if it holds: else another replica may. */
    private WriteTicket hereOrElsewhere(List<NodeId> others, Asked asked)
            throws RequestRefusedException, InterruptedException {
        long now = System.nanoTime();
        long next = tryHereNanos.get();
        if (next != HOLDS && (now - next < 0 || !tryHereNanos.compareAndSet(next, now + NOT_HELD_NANOS))) {
            return elsewhere(others, asked, asked.deadlineNanos);
        }
        long patient = now + PATIENCE_NANOS;
        boolean enough = patient - asked.deadlineNanos < 0;
        try {
            WriteTicket ticket = here(asked, enough ? patient : asked.deadlineNanos);
            if (next != HOLDS) {
                tryHereNanos.set(HOLDS);
            }
            return ticket;
        } catch (RequestRefusedException e) {
            if (e.failure() != Effect.Failure.NOT_READY || !enough) {
                throw e;
            }
            tryHereNanos.set(System.nanoTime() + NOT_HELD_NANOS);
            return elsewhere(others, asked, asked.deadlineNanos);
        }
    }

    /** Who else is a replica of all of them. */
    private List<NodeId> othersOfAll(List<PartitionKey> keys) {
        List<NodeId> common = new ArrayList<>(placement.replicasOf(keys.get(0)).members());
        for (PartitionKey key : keys) {
            ReplicaGroup group = placement.replicasOf(key);
            common.removeIf(each -> !group.contains(each));
        }
        common.remove(self);
        return common;
    }
}
