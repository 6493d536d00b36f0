/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.BackgroundOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the repairs that this node does by itself, in pieces: between their steps it rests for as long as clients need
 * it to, and what is done is not done again where a later piece fails. Repairs and {@link #forget} are for the
 * {@linkplain #execute thread} for them, {@link #look} for one other; the rest is thread-safe.
 */
public final class Background {
    private static final Logger log = LoggerFactory.getLogger(Background.class);

    private static final int MOST_RANGES = 1_024;
    private static final long BYTES_FOR_A_RANGE = 1L << 20;

    /** A repair of a table of this name: its pieces, and how many of them are done. */
    private record Job(UUID name, List<Range<Token>> ranges, List<List<Range<Token>>> pieces, int done) {
        boolean isOf(UUID otherName, List<Range<Token>> otherRanges) {
            return name.equals(otherName) && ranges.equals(otherRanges);
        }

        boolean isDone() {
            return done == pieces.size();
        }

        Job until(int nowDone) {
            return new Job(name, ranges, pieces, nowDone);
        }
    }

    private final BackgroundOptions options;
    private final Executor thread;
    private final ClientReads reads;
    private final Throughput throughput;
    private final Repairs repairs;
    private final Yielding yielding;
    private final AtomicInteger working = new AtomicInteger();
    private final Map<UUID, Progress> progress = new ConcurrentHashMap<>();
    private volatile double share = 1;

    /** The last one that did not end well. */
    private @Nullable Job unfinished;

    /** @param thread that the work is done on */
    public Background(BackgroundOptions options, Executor thread) {
        this(options, thread, ClientReads.ofThisNode(), new Throughput(), repairs(options));
    }

    private static Repairs repairs(BackgroundOptions options) {
        Repairs streams = new FullRepair();
        return options.byReading() ? new RepairByReading(new ReadReplicas(), streams) : streams;
    }

    Background(BackgroundOptions options, Executor thread, ClientReads reads, Throughput throughput, Repairs repairs) {
        this.options = options;
        this.thread = thread;
        this.reads = reads;
        this.throughput = throughput;
        this.repairs = repairs;
        yielding = new Yielding(options);
    }

    /** To be called once a second, by one thread. */
    public void look() {
        long p99Micros = reads.p99Micros();
        if (working.get() == 0) {
            yielding.idle(p99Micros);
            throughput.restore();
        } else {
            yielding.working(p99Micros);
            if (options.cassandra()) {
                throughput.lower(yielding.share());
            }
        }
        share = yielding.share();
    }

    /** Does this on the thread for background work, after what is waiting there. */
    public void execute(Runnable work) {
        thread.execute(work);
    }

    /** How far the repair of the table of this name is; null where none is under way. */
    public @Nullable Progress progressOf(UUID name) {
        return progress.get(name);
    }

    /**
     * Repairs ranges that this node holds together with all of their other replicas. Blocks, for hours where there is
     * much. What an earlier call has done of the same is not done again.
     *
     * @param name the table's in the middleware
     * @param ranges none: all that this node holds
     * @param isStillIt whether the ring is still the one that the repair is to go by; asked around each piece
     * @return whether all is repaired
     */
    public boolean repair(TableMetadata table, UUID name, Collection<Range<Token>> ranges, BooleanSupplier isStillIt)
            throws InterruptedException {
        List<Range<Token>> all = Range.sort(ranges.isEmpty() ? repairs.held(table) : ranges);
        Job before = unfinished;
        Job job = before != null && before.isOf(name, all) ? before : cut(table, name, all);
        Job ended = run(table, null, job, isStillIt);
        if (!ended.isDone()) {
            unfinished = ended;
        } else {
            forget(name);
        }
        return ended.isDone();
    }

    /** The next repair of the table of this name begins anew, whatever an earlier one has done. */
    public void forget(UUID name) {
        Job before = unfinished;
        if (before != null && before.name.equals(name)) {
            unfinished = null;
        }
    }

    /**
     * Into how many ranges it is worth to cut what this node holds of these: each costs a repair some milliseconds, as
     * much as to compare so many bytes.
     */
    public int rangesWorth(TableMetadata table, Collection<Range<Token>> ranges) {
        return (int) Math.max(1, Math.min(MOST_RANGES, repairs.bytesOf(table, ranges) / BYTES_FOR_A_RANGE));
    }

    /** The same of what one other node holds of these ranges: it comes here, and nothing goes the other way. */
    public boolean pull(TableMetadata table, UUID name, InetAddressAndPort source, Collection<Range<Token>> ranges)
            throws InterruptedException {
        return run(table, source, cut(table, name, Range.sort(ranges)), () -> true)
                .isDone();
    }

    /** Goes on with it, until it is done or a piece fails. */
    private Job run(TableMetadata table, @Nullable InetAddressAndPort source, Job job, BooleanSupplier isStillIt)
            throws InterruptedException {
        Progress each = new Progress(job.done, job.pieces.size(), 0);
        progress.put(job.name, each);
        working.incrementAndGet();
        Pace pace = new Pace(() -> share);
        try {
            while (each.done() < each.all()) {
                long beganNanos = System.nanoTime();
                pace.next();
                if (!isStillIt.getAsBoolean()
                        || !repairs.run(table, source, job.pieces.get(each.done()), pace)
                        || !isStillIt.getAsBoolean()) {
                    break;
                }
                each = each.another((System.nanoTime() - beganNanos) / 1e9);
                progress.put(job.name, each);
                log.debug("MeteorShower: {}: piece {} of {} is repaired", table, each.done(), each.all());
            }
            return job.until(each.done());
        } finally {
            working.decrementAndGet();
            progress.remove(job.name);
        }
    }

    private Job cut(TableMetadata table, UUID name, List<Range<Token>> ranges) {
        return new Job(name, ranges, Pieces.of(ranges, repairs.bytesOf(table, ranges), table.partitioner), 0);
    }
}
