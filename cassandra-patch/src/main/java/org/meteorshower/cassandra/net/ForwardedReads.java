/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.LocatedRead;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Serves the reads that other coordinators forward to this replica, on a bounded pool of its own. Only single
 * partitions of enabled tables are read: nothing else of Cassandra's can be reached this way. Answers probes, too.
 * Thread-safe.
 */
public final class ForwardedReads implements AutoCloseable {
    private static final int QUEUED = 1_024;
    private static final long MAX_REMAINING_MICROS = 60_000_000;

    private final LocatedFetch local;
    private final EnabledTables enabled;
    private final RingPlacement placement;
    private final Predicate<LocatedRead> lacking;
    private final ServingPool pool;

    /** @param lacking what this replica refuses at once, so that another one is asked */
    public ForwardedReads(
            LocatedFetch local, EnabledTables enabled, RingPlacement placement, Predicate<LocatedRead> lacking) {
        this.local = local;
        this.enabled = enabled;
        this.placement = placement;
        this.lacking = lacking;
        int threads = Math.max(2, DatabaseDescriptor.getConcurrentReaders());
        this.pool = new ServingPool("MeteorShower-Read", threads, QUEUED);
    }

    /** The answer to a call. Does not block. */
    public CompletableFuture<byte[]> called(byte[] request) {
        long calledNanos = System.nanoTime();
        return pool.answer(
                () -> Probe.isOne(request)
                        ? TimedAnswer.of(microsSince(calledNanos), new byte[0])
                        : answerTo(request, calledNanos),
                () -> ReadResponse.encode(new RequestRefusedException(
                        Failure.OVERLOADED, "the replica has " + QUEUED + " forwarded reads waiting already.")));
    }

    private byte[] answerTo(byte[] bytes, long calledNanos) {
        ReadRequest request = ReadRequest.decode(bytes);
        byte[] answer = answerTo(request);
        return request.timed() ? TimedAnswer.of(microsSince(calledNanos), answer) : answer;
    }

    private static long microsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos);
    }

    private byte[] answerTo(ReadRequest request) {
        try {
            if (enabled.of(request.command().metadata().id) == null) {
                throw new RequestRefusedException(
                        Failure.NOT_READY, request.command().metadata() + " is not enabled on the replica");
            }
            if (!PlacementKeeper.isOnRing()) { // it would wait for nobody
                throw new RequestRefusedException(Failure.NOT_A_REPLICA, "the replica has left the ring");
            }
            long remainingMicros = Math.min(request.remainingMicros(), MAX_REMAINING_MICROS);
            ReadTerms terms = new ReadTerms(
                    request.tokenMicros(), request.mode(), System.nanoTime() + 1_000 * Math.max(0, remainingMicros));
            LocatedRead read = LocatedRead.of(request.command(), enabled, placement);
            if (lacking.test(read)) {
                throw new RequestRefusedException(Failure.NOT_READY, "it lacks what others have");
            }
            FetchedPartition fetched = local.fetch(read, terms);
            if (!PlacementKeeper.isOnRing()) {
                throw new RequestRefusedException(Failure.NOT_A_REPLICA, "the replica has left the ring");
            }
            return ReadResponse.encode(request.command(), fetched);
        } catch (RequestRefusedException e) {
            return ReadResponse.encode(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ReadResponse.encode(new RequestRefusedException(Failure.TIMED_OUT, "the replica is shutting down"));
        }
    }

    /** How many wait for a thread. */
    public int queued() {
        return pool.queued();
    }

    @Override
    public void close() {
        pool.close();
    }
}
