/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.WriteTicket;

/**
 * Begins writes for coordinators that hold no replica, and tells them when these are done ({@link TicketCalls}). On a
 * bounded pool of its own: as at any coordinator, each write that waits has a thread. A write that nobody asks about
 * ends after some seconds. Thread-safe.
 */
public final class TicketsForOthers implements AutoCloseable {
    /** As many as Cassandra has for its own clients, if it is left as it comes. */
    private static final int THREADS = 128;

    private static final int QUEUED = 1_024;
    private static final int MOST_OPEN = 4_096;

    /** What one takes beside its keys. */
    private static final int BYTES_EACH = 1_024;

    private static final long MOST_REMAINING_MICROS = 60_000_000;

    /** The question what became of a write comes at once, or never. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long life;
    private final Beginner beginner;
    private final Function<PartitionKey, @Nullable ReplicaGroup> placement;
    private final OwnPlace place;
    private final NodeId self;
    private final ByteAccount waiting;
    private final Map<Name, Open> open = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUED),
            new NamedThreadFactory("MeteorShower-Write"));

    /** As {@link org.meteorshower.runtime.MeteorShower#beginWriteOf}. */
    @FunctionalInterface
    public interface Beginner {
        WriteTicket begin(
                NodeId coordinator, List<PartitionKey> keys, long tokenMicros, boolean strict, long deadlineNanos)
                throws RequestRefusedException, InterruptedException;
    }

    private record Name(NodeId coordinator, long timestampMicros) {}

    private record Open(WriteTicket ticket, long bytes, long keptUntilNanos) {}

    /**
     * @param life of this node: no later one has the same number
     * @param placement who holds a partition; null for one of a table that is not followed here
     * @param waiting what writes that wait at this node may hold
     */
    public TicketsForOthers(
            NodeId self,
            long life,
            Beginner beginner,
            Function<PartitionKey, @Nullable ReplicaGroup> placement,
            OwnPlace place,
            ByteAccount waiting) {
        this.self = self;
        this.life = life;
        this.beginner = beginner;
        this.placement = placement;
        this.place = place;
        this.waiting = waiting;
        pool.allowCoreThreadTimeOut(true);
    }

    public static boolean isOne(byte[] request) {
        return TicketForm.isOne(request);
    }

    /** The answer to such a call. Does not block. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        long calledNanos = System.nanoTime();
        try {
            pool.execute(() -> serve(from, request, calledNanos, answer));
        } catch (RejectedExecutionException e) {
            answer.complete(TicketForm.encode(new RequestRefusedException(
                    Failure.OVERLOADED, "the replica has " + QUEUED + " writes of other nodes waiting already")));
        }
        return answer;
    }

    private void serve(NodeId from, byte[] request, long calledNanos, CompletableFuture<byte[]> answer) {
        try {
            if (TicketForm.isBegin(request)) {
                answer.complete(begin(from, TicketForm.begin(request), calledNanos));
            } else {
                answer.complete(TicketForm.done(await(from, TicketForm.await(request), calledNanos)));
            }
        } catch (RequestRefusedException e) {
            answer.complete(TicketForm.encode(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(e);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        } catch (Error e) {
            answer.completeExceptionally(e);
            throw e; // to the thread's handler, which is Cassandra's
        }
    }

    private static long deadlineNanos(long calledNanos, long remainingMicros) {
        return calledNanos + 1_000 * Math.max(0, Math.min(MOST_REMAINING_MICROS, remainingMicros));
    }

    private byte[] begin(NodeId from, TicketForm.Begin begin, long calledNanos)
            throws RequestRefusedException, InterruptedException {
        check(begin);
        long bytes = begin.bytes() + (long) BYTES_EACH * begin.keys().size();
        if (open.size() >= MOST_OPEN || !waiting.take(bytes)) {
            throw new RequestRefusedException(
                    Failure.OVERLOADED, "the replica has " + open.size() + " writes of other nodes under way");
        }
        boolean kept = false;
        try {
            long deadlineNanos = deadlineNanos(calledNanos, begin.remainingMicros());
            WriteTicket ticket = beginner.begin(from, begin.keys(), begin.tokenMicros(), begin.strict(), deadlineNanos);
            open.put(new Name(from, ticket.timestampMicros()), new Open(ticket, bytes, System.nanoTime() + KEPT_NANOS));
            kept = true;
            return TicketForm.encode(new TicketForm.Begun(life, ticket.timestampMicros()));
        } catch (StoppedException e) {
            throw new RequestRefusedException(Failure.NOT_READY, "the replica has stopped");
        } finally {
            if (!kept) {
                waiting.giveBack(bytes);
            }
        }
    }

    private void check(TicketForm.Begin begin) throws RequestRefusedException {
        for (PartitionKey key : begin.keys()) {
            ReplicaGroup group = placement.apply(key);
            if (group == null || !group.contains(self)) {
                throw new RequestRefusedException(
                        Failure.NOT_A_REPLICA, "by the ring that it goes by, the node asked holds no replica, either");
            }
        }
        if (!place.isOnRing()) {
            throw new RequestRefusedException(Failure.NOT_A_REPLICA, "the replica has left the ring");
        }
    }

    /** The session's new token, or -1 where it is not known what became of the write. */
    private long await(NodeId from, TicketForm.Await await, long calledNanos) throws InterruptedException {
        Open found = await.write().life() == life
                ? open.remove(new Name(from, await.write().timestampMicros()))
                : null;
        if (found == null) {
            return -1;
        }
        try {
            return found.ticket.awaitDone(deadlineNanos(calledNanos, await.remainingMicros()));
        } catch (StoppedException e) {
            return -1;
        } finally {
            end(found);
        }
    }

    private void end(Open ended) {
        waiting.giveBack(ended.bytes);
        ended.ticket.close();
    }

    /** Ends those that nobody asks about. To be called every second or so. */
    public void look() {
        open.forEach((name, each) -> {
            if (System.nanoTime() - each.keptUntilNanos > 0 && open.remove(name, each)) {
                end(each);
            }
        });
    }

    /** How many were begun and not asked about yet. */
    int openCount() {
        return open.size();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
