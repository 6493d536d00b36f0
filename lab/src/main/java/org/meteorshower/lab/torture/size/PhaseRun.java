/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.torture.Distribution;
import org.meteorshower.lab.torture.RunClock;
import org.meteorshower.lab.torture.Sample;

/** One phase on nodes of its own: its loads, what it does to the nodes, and what came of it. For one thread. */
final class PhaseRun implements AutoCloseable {
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);
    private static final long TICK_MILLIS = 500;
    private static final Duration LOST_LIMIT = Duration.ofSeconds(20);
    private static final long SKETCH_EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final String UNDER_WAY = "it has not ended";

    private final SizeOptions options;
    private final PhaseKind kind;
    private final LocalCluster cluster;
    private final DataCentres loads;
    private final DataCentres others;
    private final Display display;
    private final RunClock clock;
    private final Consumer<PhaseResult> soFar;
    private final NodeWatch watch;
    private final PhaseNodes nodes;
    private final KeptLogs logs;
    private final Ledger bulkLedger;
    private final Ledger sequentialLedger = new Ledger(new RowText(500, 1_500));
    private final Tally bulk = new Tally();
    private final Tally sequential = new Tally();
    private final List<AsyncLoad> running = new ArrayList<>();
    private final Map<String, Distribution> waits = new LinkedHashMap<>();
    private final Map<String, Map<String, Double>> collected = new LinkedHashMap<>();
    private final Map<String, Double> notes = new LinkedHashMap<>();
    private final List<PhaseResult.Band> bands = new ArrayList<>();
    private @Nullable HotMix mix;
    private long fromNanos;
    private long untilNanos;
    private long sketchedNanos;
    private boolean ended;

    /**
     * Its loads have not begun yet.
     *
     * @param clock of the whole run
     * @param soFar told each minute, and when the run is closed before its end
     */
    PhaseRun(
            SizeOptions options,
            PhaseKind kind,
            LocalCluster cluster,
            Display display,
            RunClock clock,
            Consumer<PhaseResult> soFar) {
        this.options = options;
        this.kind = kind;
        this.cluster = cluster;
        this.display = display;
        this.clock = clock;
        this.soFar = soFar;
        this.logs = new KeptLogs(cluster, options.report(), kind.word(), this::say);
        bulkLedger = new Ledger(
                new RowText(options.bulk().bytesPerRow(), options.bulk().bytesPerRow()));
        loads = new DataCentres(cluster.nodes(), REQUEST_LIMIT);
        try {
            others = new DataCentres(cluster.nodes(), REQUEST_LIMIT);
            SizeTables.create(others, kind.transactions());
        } catch (RuntimeException e) {
            loads.close();
            throw e;
        }
        watch = new NodeWatch(cluster, others, clock::nanos, new NodeWatch.Reporter() {
            @Override
            public void died(NodeWatch.Death death) {
                logs.keep(death.node(), "died");
            }

            @Override
            public void say(String line) {
                PhaseRun.this.say(line);
            }
        });
        nodes = new PhaseNodes(cluster, others, watch, this::say);
        fromNanos = nanos();
        untilNanos = fromNanos;
        sketchedNanos = fromNanos;
    }

    // What a phase asks.

    SizeOptions options() {
        return options;
    }

    Duration length() {
        return options.length(kind);
    }

    /** Of data centres: the first is the clients', the last is struck. */
    List<String> dcs() {
        return loads.names();
    }

    String last() {
        return dcs().get(dcs().size() - 1);
    }

    CqlSession session(String dc) {
        return loads.session(dc);
    }

    /** What can be done to its nodes. */
    PhaseNodes nodes() {
        return nodes;
    }

    NodeWatch watch() {
        return watch;
    }

    /** Since the whole run began. */
    long nanos() {
        return clock.nanos();
    }

    // Loads.

    void beginMix() {
        mix = new HotMix(others, SizeTables.ACCOUNTS, 1, clock);
    }

    /** Returns the rows, whose load has begun. */
    BulkRows beginBulk() {
        BulkRows rows = new BulkRows(session(dcs().get(0)), SizeTables.BULK, bulkLedger, options.bulk());
        running.add(new AsyncLoad("bulk", rows, options.bulk().inFlight(), clock::nanos, bulk));
        return rows;
    }

    /**
     * Begins.
     *
     * @param from the data centres whose clients write
     * @param hot how many rows are written again and again; 0: none are
     */
    void beginSequential(List<String> from, int inFlight, int hot) {
        SequentialRows rows = new SequentialRows(
                from.stream().map(this::session).toList(),
                SizeTables.SEQUENTIAL,
                sequentialLedger,
                hot,
                options.rate());
        running.add(new AsyncLoad("sequential", rows, inFlight, clock::nanos, sequential));
    }

    /** The loads begin nothing new until told otherwise. */
    void rest(boolean rest) {
        running.forEach(load -> load.rest(rest));
    }

    /** No more is begun; what is under way is waited for. */
    void endLoads() throws InterruptedException {
        for (AsyncLoad load : running) {
            load.stop();
        }
    }

    /** The measured time begins. */
    void measureFromHere() {
        fromNanos = nanos();
    }

    boolean isDone() {
        return running.stream().allMatch(AsyncLoad::isDone);
    }

    long rows() {
        return bulk.rows() + sequential.rows();
    }

    // Time and figures.

    /** Goes on as it is until this moment, or until all work is done; shows meanwhile what goes on. */
    void until(long endNanos) throws InterruptedException {
        while (nanos() < endNanos && !(isDone() && !running.isEmpty())) {
            Thread.sleep(TICK_MILLIS);
            show();
        }
    }

    /** Goes on as it is for so long, and shows meanwhile what goes on. */
    void pass(long nanos) throws InterruptedException {
        long end = nanos() + nanos;
        do {
            TimeUnit.NANOSECONDS.sleep(
                    Math.min(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS), Math.max(0, end - nanos())));
            show();
        } while (nanos() < end);
    }

    void show() {
        display.live(String.format(
                Locale.ROOT,
                "%s%s: %,d rows acknowledged, %,d refused, %,d unknown; deaths %d",
                clock.stamp(),
                kind.word(),
                rows(),
                bulk.refused() + sequential.refused(),
                bulk.unknown() + sequential.unknown(),
                watch.deaths().size()));
        if (nanos() - sketchedNanos > SKETCH_EVERY_NANOS) {
            untilNanos = nanos();
            sketch();
        }
    }

    private void sketch() {
        sketchedNanos = nanos();
        soFar.accept(result((sketchedNanos - untilNanos) / 1e9, UNDER_WAY, 0, List.of()));
    }

    void say(String line) {
        display.say(clock.stamp() + line);
    }

    void band(String title, long fromBandNanos) {
        bands.add(new PhaseResult.Band(title, fromBandNanos / 1e9, nanos() / 1e9));
    }

    void note(String name, double value) {
        notes.put(name, value);
    }

    /** The latencies since then count as those of this time. */
    void window(String name, long sinceNanos) {
        if (mix != null) {
            mix.window(name, sinceNanos, nanos());
        }
        if (sequential.rows() > 0) {
            waits.put(name + " writes", sequential.latencies(Sample.What.WRITE, sinceNanos, nanos()));
            waits.put(name + " reads", sequential.latencies(Sample.What.READ, sinceNanos, nanos()));
        }
    }

    /** A full collection at every node that runs. */
    void collect(String name) {
        collected.put(name, nodes.collect());
    }

    // The end.

    /** Stops the loads, waits until all is as before, reads everything, and judges. */
    PhaseResult end() throws InterruptedException {
        untilNanos = nanos();
        watch.faultBegins(); // a collection that is asked for is a pause
        endLoads();
        collect("load ends");
        if (mix != null) {
            mix.stop();
        }
        say(String.format(
                Locale.ROOT, "the load has ended: %,d rows acknowledged; waits until all is as before", rows()));
        Ending ending = new Ending(cluster, others, display, clock);
        long begun = System.nanoTime();
        long deadline = begun + options.settleLimit().toNanos();
        String obstacle = ending.settle(mix, deadline);
        sketch();
        double settled = (System.nanoTime() - begun) / 1e9;
        say(
                obstacle.isEmpty()
                        ? String.format(Locale.ROOT, "as before after %.1f s", settled)
                        : "NOT as before: " + obstacle);
        collect("settled");
        List<String> violations = new ArrayList<>();
        long lost = lost(ending, deadline, violations);
        ending.unread().forEach(line -> say("NOT as before: " + line));
        if (obstacle.isEmpty() && !ending.unread().isEmpty()) {
            obstacle = ending.unread().get(0);
        }
        note("leaderships_in_logs", (double) logs.count(" LEADS: lane "));
        watch.close();
        ended = true;
        PhaseResult result = result(settled, obstacle, lost, violations);
        if (!result.isRight()) {
            cluster.nodes().forEach(node -> logs.keep(node.name(), "wrong"));
        }
        return result;
    }

    /** How many rows are lost; adds what is wrong with those that are not, and with what the hot mix saw. */
    private long lost(Ending ending, long deadline, List<String> violations) throws InterruptedException {
        long lookedUntil = Math.max(deadline, System.nanoTime() + LOST_LIMIT.toNanos());
        long lost = ending.lost(SizeTables.BULK, bulkLedger, violations, lookedUntil)
                + ending.lost(SizeTables.SEQUENTIAL, sequentialLedger, violations, lookedUntil);
        if (mix != null && ending.allRun()) {
            violations.addAll(mix.findings());
        }
        return lost;
    }

    private PhaseResult result(double settledSeconds, String obstacle, long lost, List<String> violations) {
        return new PhaseResult(
                kind,
                fromNanos,
                untilNanos,
                settledSeconds,
                obstacle,
                lost,
                violations,
                watch.deaths(),
                bulk,
                sequential,
                mix == null ? Map.of() : mix.latencies(dcs().indexOf(nodes.isStruck() ? last() : "")),
                mix == null ? Map.of() : mix.failures(),
                waits,
                collected,
                watch.lanes(),
                watch.budgets(),
                watch.samples(),
                notes,
                bands);
    }

    @Override
    public void close() {
        watch.close();
        if (!ended) {
            sketch();
        }
        running.forEach(AsyncLoad::close);
        if (mix != null) {
            mix.close();
        }
        loads.close();
        others.close();
    }
}
