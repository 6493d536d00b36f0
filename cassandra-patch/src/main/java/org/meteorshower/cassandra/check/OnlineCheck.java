/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.check;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.jspecify.annotations.Nullable;
import org.meteorshower.onlinecheck.CheckFigures;
import org.meteorshower.onlinecheck.CheckLimits;
import org.meteorshower.onlinecheck.Observation;
import org.meteorshower.onlinecheck.OnlineChecker;
import org.meteorshower.onlinecheck.StepWatch;
import org.meteorshower.onlinecheck.Violation;
import org.meteorshower.onlinecheck.WrittenCells;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The online checker of this node. While it is off it costs a read one look at a volatile field; while it is on,
 * whoever takes a step or answers a read of a sampled partition puts what was seen into a bounded queue, and one thread
 * judges. Thread-safe.
 */
public final class OnlineCheck implements AutoCloseable {
    /** A counterexample, and when it was found. */
    public record Found(Instant at, Violation violation) {}

    /** How far mutations that were stamped before the sampling began may be ahead of the clock, leads included. */
    private static final long START_MARGIN_MICROS = 10_000_000;

    private static final Logger log = LoggerFactory.getLogger(OnlineCheck.class);
    private static final int QUEUED = 16_384;

    /** What an entry takes, and each cell that it tells of, about. */
    private static final int ENTRY_BYTES = 512;

    private static final int CELL_BYTES = 128;
    private static final int MOST_FOUND = 32;
    private static final long POLL_MILLIS = 200;
    private static final long LOG_PAUSE_NANOS = 10_000_000_000L;
    private static final long NOTHING_LOST = Long.MIN_VALUE;

    /** What the thread takes from the queue. {@code by}: what a sampling that has ended has left is not judged. */
    private record Entry(StepWatch by, Observation observation, long nanos, long bytes) {}

    private final NodeId self;
    private final Placement placement;
    private final MeteorShower meteorShower;
    private final CheckLimits limits;
    private final long maxAheadMicros;
    private final Function<Update, WrittenCells> cellsOf;
    private final Supplier<Map<UUID, Long>> truncations;
    private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(QUEUED);
    private final ByteAccount queued;
    private final AtomicLong lostUpToMicros = new AtomicLong(NOTHING_LOST);
    private final LongAdder dropped = new LongAdder();
    private final LongAdder unqueued = new LongAdder();
    private final ArrayDeque<Found> found = new ArrayDeque<>();
    private final Thread thread = new Thread(this::run, "MeteorShower-Check");
    private volatile @Nullable StepWatch watch;
    private volatile double share;
    private volatile CheckFigures figures = new CheckFigures(0, 0, 0, 0, 0);
    private volatile boolean closed;
    private volatile @Nullable Sampling sampling;
    private volatile long judgedBytes;
    private long loggedNanos = System.nanoTime() - LOG_PAUSE_NANOS;

    /** A time during which the sample is the same. Its checker belongs to the thread. */
    private record Sampling(StepWatch watch, OnlineChecker checker, CheckFigures before) {}

    /**
     * @param cellsOf what an update writes
     * @param queued what waits to be looked at
     * @param truncations when each enabled table was truncated last, by its present name
     */
    public OnlineCheck(
            NodeId self,
            Placement placement,
            MeteorShower meteorShower,
            CheckLimits limits,
            long maxAheadMicros,
            Function<Update, WrittenCells> cellsOf,
            ByteAccount queued,
            Supplier<Map<UUID, Long>> truncations) {
        this.self = self;
        this.placement = placement;
        this.meteorShower = meteorShower;
        this.limits = limits;
        this.maxAheadMicros = maxAheadMicros;
        this.cellsOf = cellsOf;
        this.queued = queued;
        this.truncations = truncations;
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Which part of all partitions is checked. */
    public double share() {
        return share;
    }

    /** @param wanted 0 (off) to 1; the checker begins anew with what it sees from now on */
    public synchronized void sample(double wanted) {
        if (!(wanted >= 0 && wanted <= 1)) {
            throw new IllegalArgumentException("the share of partitions that are checked is 0 to 1, not " + wanted);
        }
        meteorShower.betweenSteps(() -> {
            share = wanted;
            if (wanted == 0) {
                watch = null;
                sampling = null;
                meteorShower.listenToSteps(null);
                return;
            }
            long fromMicros =
                    Math.max(meteorShower.inspect(CoreView::hybridClockMicros), System.currentTimeMillis() * 1_000);
            StepWatch begun = watching(wanted);
            lostUpToMicros.set(NOTHING_LOST);
            sampling =
                    new Sampling(begun, new OnlineChecker(limits, cellsOf, fromMicros + START_MARGIN_MICROS), figures);
            watch = begun;
            meteorShower.listenToSteps((event, effects, now) -> {
                try {
                    begun.stepped(event, effects, now);
                } catch (RuntimeException e) {
                    failed(e); // or else the node would stop
                }
            });
        });
    }

    private StepWatch watching(double wanted) {
        StepWatch[] made = new StepWatch[1]; // it tells who it is with what it tells
        made[0] = new StepWatch(self, placement, maxAheadMicros, wanted, observation -> offer(made[0], observation));
        return made[0];
    }

    /** A read of this replica was answered. */
    public void answered(
            PartitionKey key,
            long tokenMicros,
            long cutMicros,
            SinglePartitionReadCommand command,
            long onlyRow,
            @Nullable FilteredPartition rows) {
        StepWatch now = watch;
        if (now != null && now.samples(key)) {
            try {
                offer(
                        now,
                        new Observation.Answered(CheckedCells.of(key, tokenMicros, cutMicros, command, onlyRow, rows)));
            } catch (RuntimeException e) {
                failed(e); // the answer is none the worse for it
            }
        }
    }

    /** The checker's own mistake must neither harm the node nor pass unnoticed. Also called under the core's lock. */
    private void failed(RuntimeException e) {
        log.error("MeteorShower: the online checker failed and is off now", e);
        share = 0;
        watch = null;
        sampling = null;
        meteorShower.listenToSteps(null);
    }

    /**
     * What does not fit is counted, and before anything else that follows the checker hears that something is missing.
     */
    void offer(StepWatch by, Observation observation) {
        long nanos = System.nanoTime();
        long lost = lostUpToMicros.get();
        if (lost != NOTHING_LOST && queue(new Entry(by, new Observation.Unseen(null, lost), nanos, ENTRY_BYTES))) {
            lostUpToMicros.compareAndSet(lost, NOTHING_LOST);
            lost = NOTHING_LOST;
        }
        if (lost != NOTHING_LOST || !queue(new Entry(by, observation, nanos, bytesOf(observation)))) {
            dropped.increment();
            lostUpToMicros.accumulateAndGet(observation.newestMicros(), Math::max);
            if (observation instanceof Observation.Broken broken) {
                unqueued.increment();
                report(broken.violation());
            }
        }
    }

    private boolean queue(Entry entry) {
        if (!queued.take(entry.bytes)) {
            return false;
        }
        boolean taken = queue.offer(entry);
        if (!taken) {
            queued.giveBack(entry.bytes);
        }
        return taken;
    }

    private static long bytesOf(Observation observation) {
        if (observation instanceof Observation.Answered answered) {
            return ENTRY_BYTES + (long) CELL_BYTES * answered.answer().cells().size();
        }
        Update update = observation instanceof Observation.Stamped stamped ? stamped.update() : null;
        return ENTRY_BYTES + (update == null ? 0L : update.sizeBytes());
    }

    private void run() {
        List<Entry> batch = new ArrayList<>();
        Map<UUID, Long> truncated = Map.of();
        while (!closed) {
            try {
                Entry first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    queue.drainTo(batch, 1_024);
                    batch.forEach(entry -> queued.giveBack(entry.bytes));
                }
                Sampling current = sampling;
                if (current != null) {
                    Map<UUID, Long> now = truncations.get();
                    judge(current, batch, changed(truncated, now));
                    truncated = now;
                }
                batch.clear();
            } catch (InterruptedException e) {
                return; // the node goes down
            } catch (RuntimeException e) {
                failed(e);
                batch.clear();
            }
        }
    }

    private static List<UUID> changed(Map<UUID, Long> before, Map<UUID, Long> now) {
        return now.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(before.getOrDefault(entry.getKey(), entry.getValue())))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void judge(Sampling current, List<Entry> batch, List<UUID> truncated) {
        OnlineChecker checker = current.checker;
        for (UUID table : truncated) {
            long upToMicros = System.currentTimeMillis() * 1_000 + maxAheadMicros;
            checker.saw(new Observation.Unseen(table, upToMicros), System.nanoTime());
        }
        for (Entry entry : batch) {
            if (entry.by == current.watch) {
                checker.saw(entry.observation, entry.nanos);
            }
        }
        checker.advance(System.nanoTime());
        checker.takeViolations().forEach(this::report);
        figures = current.before.plus(checker.figures());
        judgedBytes = checker.heldBytes();
    }

    private void report(Violation violation) {
        synchronized (found) {
            found.addLast(new Found(Instant.now(), violation));
            if (found.size() > MOST_FOUND) {
                found.removeFirst();
            }
            long nanos = System.nanoTime();
            if (nanos - loggedNanos < LOG_PAUSE_NANOS) {
                return;
            }
            loggedNanos = nanos;
        }
        log.error(
                "MeteorShower: THE ONLINE CHECKER FOUND A VIOLATION of the protocol's promise: {} {}: {}. See"
                        + " meteorshower.violations, and docs/OPERATE.md",
                violation.kind(),
                violation.key(),
                violation.text());
    }

    public CheckFigures figures() {
        return figures.plus(new CheckFigures(0, 0, 0, 0, unqueued.sum()));
    }

    /** What waits to be looked at, and to be judged, about, in bytes. */
    public long heldBytes() {
        return queued.used() + (sampling == null ? 0 : judgedBytes);
    }

    /** How much was seen and not looked at because the checker could not keep up. */
    public long dropped() {
        return dropped.sum();
    }

    /** The last few counterexamples, oldest first. */
    public List<Found> found() {
        synchronized (found) {
            return List.copyOf(found);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
