/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;
import org.meteorshower.runtime.WriteTicket;

/**
 * Lets a write get its timestamp at another node, which also tells when it is done; Cassandra's part of it is done
 * here. For writes that may begin at replicas alone. The nearest that lives is asked, and the next one where that one
 * refuses: a timestamp that nobody uses does no harm. {@link TicketsForOthers} answers. Thread-safe.
 */
public final class TicketCalls {
    /** An answer may be on its way at the deadline. */
    private static final long LATE_MICROS = 100_000;

    private final NodeId self;
    private final Transport transport;
    private final Ways ways;
    private final UsedTimestamps used;

    public TicketCalls(NodeId self, Transport transport, Ways ways, UsedTimestamps used) {
        this.used = used;
        this.self = self;
        this.transport = transport;
        this.ways = ways;
    }

    /**
     * Blocks at most until the deadline.
     *
     * @param replicas that hold all of the partitions
     * @throws RequestRefusedException if none of them began it; nothing was written
     */
    public WriteTicket begin(
            Collection<NodeId> replicas, List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        Ways.Choice choice = ways.choose(LiveReplicas.of(replicas, self), System.nanoTime());
        choice.probes().forEach(way -> Probe.send(transport, way));
        List<NodeId> order = new ArrayList<>();
        choice.order().stream().map(Way::node).forEach(order::add);
        return begin(order, new TicketForm.Begin(keys, tokenMicros, strict, 0), deadlineNanos);
    }

    /** @param order whom to ask, the first one first */
    WriteTicket begin(List<NodeId> order, TicketForm.Begin write, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        Failure failure = Failure.NOT_READY;
        String trouble = "none of them is alive";
        for (int i = 0; i < order.size(); i++) {
            // A replica that hangs must leave time for the others.
            long remainingMicros = (deadlineNanos - System.nanoTime()) / 1_000 / (order.size() - i);
            if (remainingMicros <= 0) {
                break;
            }
            NodeId node = order.get(i);
            Tracing.trace("MeteorShower: the write gets its timestamp at replica {}", node);
            try {
                return ask(node, write, remainingMicros, deadlineNanos);
            } catch (ExecutionException | IllegalArgumentException e) {
                trouble = "replica " + node + ": " + (e.getCause() == null ? e : e.getCause());
            } catch (RequestRefusedException e) {
                if (!mayBeOtherwiseElsewhere(e.failure())) {
                    throw e;
                }
                failure = e.failure();
                trouble = "replica " + node + ": " + e.getMessage();
            }
            Tracing.trace("MeteorShower: {}", trouble);
        }
        throw new RequestRefusedException(
                failure,
                "a write of a table with strict=home begins at a replica that holds a lease, which this node does not,"
                        + " and no other one began it; " + trouble + ". Nothing was written");
    }

    private WriteTicket ask(NodeId node, TicketForm.Begin write, long remainingMicros, long deadlineNanos)
            throws RequestRefusedException, ExecutionException, InterruptedException {
        TicketForm.Begun begun = begun(node, write, write.tokenMicros(), remainingMicros);
        Long floorMicros = used.take(begun.timestampMicros());
        if (floorMicros != null) {
            // Another node gave the same one. As with a session's token, the next one is above all of them.
            begun = begun(node, write, Math.max(write.tokenMicros(), floorMicros), remainingMicros);
            if (used.take(begun.timestampMicros()) != null) {
                throw new RequestRefusedException(Failure.NOT_READY, "it gave a timestamp that was used before");
            }
        }
        return new Elsewhere(node, begun, deadlineNanos);
    }

    private TicketForm.Begun begun(NodeId node, TicketForm.Begin write, long tokenMicros, long remainingMicros)
            throws RequestRefusedException, ExecutionException, InterruptedException {
        byte[] question =
                TicketForm.encode(new TicketForm.Begin(write.keys(), tokenMicros, write.strict(), remainingMicros));
        return TicketForm.begun(transport
                .call(node, question, Duration.ofNanos(1_000 * remainingMicros))
                .get());
    }

    private static boolean mayBeOtherwiseElsewhere(Failure failure) {
        return failure == Failure.NOT_READY
                || failure == Failure.NOT_A_REPLICA
                || failure == Failure.TIMED_OUT
                || failure == Failure.OVERLOADED;
    }

    /** A write that has its timestamp from another node. */
    private final class Elsewhere implements WriteTicket {
        private final NodeId node;
        private final long timestampMicros;
        private volatile @Nullable Exception trouble;

        /** Asked for at once: so the answer comes as soon as there is one. */
        private final CompletableFuture<byte[]> done;

        Elsewhere(NodeId node, TicketForm.Begun begun, long deadlineNanos) {
            this.node = node;
            timestampMicros = begun.timestampMicros();
            long remainingMicros = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000);
            done = transport.call(
                    node,
                    TicketForm.encode(new TicketForm.Await(begun, remainingMicros)),
                    Duration.ofNanos(1_000 * (remainingMicros + LATE_MICROS)));
        }

        @Override
        public long timestampMicros() {
            return timestampMicros;
        }

        @Override
        public long awaitDone(long deadlineNanos) throws InterruptedException {
            try {
                long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
                return TicketForm.doneMicros(done.get(leftNanos, TimeUnit.NANOSECONDS));
            } catch (ExecutionException | TimeoutException | IllegalArgumentException e) {
                trouble = e;
                Tracing.trace("MeteorShower: what became of the write is not known: {}", e);
                return -1;
            }
        }

        @Override
        public String whyPending() {
            Exception seen = trouble;
            return "replica " + node + ", which gave its timestamp, did not say that it is done"
                    + (seen == null || seen instanceof TimeoutException ? "" : ": " + seen.getMessage());
        }

        @Override
        public void close() {
            done.cancel(false); // the other node ends it by itself
        }
    }
}
