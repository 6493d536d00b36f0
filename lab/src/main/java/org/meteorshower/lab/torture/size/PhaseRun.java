/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.CqlSession;
import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.WanLinks;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.torture.Distribution;
import org.meteorshower.lab.torture.Sample;

/** One phase on nodes of its own: its loads, what it does to the nodes, and what came of it. For one thread. */
final class PhaseRun implements AutoCloseable {
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(3);
    private static final long TICK_MILLIS = 500;
    private static final Duration LOST_LIMIT = Duration.ofSeconds(20);

    private final SizeOptions options;
    private final PhaseKind kind;
    private final LocalCluster cluster;
    private final DataCentres loads;
    private final DataCentres others;
    private final Display display;
    private final long epochNanos;
    private final NodeWatch watch;
    private final WanLinks links;
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
    private final List<String> struckDcs = new ArrayList<>();
    private @Nullable HotMix mix;
    private long fromNanos;
    private long untilNanos;

    /** @param epochNanos when the whole run began */
    PhaseRun(SizeOptions options, PhaseKind kind, LocalCluster cluster, Display display, long epochNanos) {
        this.options = options;
        this.kind = kind;
        this.cluster = cluster;
        this.display = display;
        this.epochNanos = epochNanos;
        this.links = new WanLinks(cluster);
        this.logs = new KeptLogs(cluster, options.report(), kind.word(), this::say);
        bulkLedger = new Ledger(new RowText(options.bytesPerRow(), options.bytesPerRow()));
        loads = new DataCentres(cluster.nodes(), REQUEST_LIMIT);
        try {
            others = new DataCentres(cluster.nodes(), REQUEST_LIMIT);
            SizeTables.create(others, kind.transactions());
        } catch (RuntimeException e) {
            loads.close();
            throw e;
        }
        watch = new NodeWatch(cluster, others, this::nanos, new NodeWatch.Reporter() {
            @Override
            public void died(NodeWatch.Death death) {
                logs.keep(death.node(), "died");
            }

            @Override
            public void say(String line) {
                PhaseRun.this.say(line);
            }
        });
        fromNanos = nanos();
        untilNanos = fromNanos;
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

    String nodeOf(String dc) {
        return nodeSpec(dc).name();
    }

    NodeSpec nodeSpec(String dc) {
        return cluster.nodes().stream()
                .filter(node -> node.dc().equals(dc))
                .findFirst()
                .orElseThrow();
    }

    CqlSession session(String dc) {
        return loads.session(dc);
    }

    WanLinks links() {
        return links;
    }

    NodeWatch watch() {
        return watch;
    }

    /** Since the whole run began. */
    long nanos() {
        return System.nanoTime() - epochNanos;
    }

    /** Whether the node of this data centre serves by itself, for its clients and its peers. */
    boolean serves(String dc) {
        return cluster.isRunning(nodeOf(dc))
                && new TableProbe(others.session(dc)).obstacle(Long.MAX_VALUE).isEmpty();
    }

    // Loads.

    void beginMix() {
        mix = new HotMix(others, SizeTables.ACCOUNTS, 1, epochNanos);
    }

    /** Returns the rows, whose load has begun. */
    BulkRows beginBulk(int inFlight) {
        BulkRows rows = new BulkRows(
                session(dcs().get(0)),
                SizeTables.BULK,
                bulkLedger,
                options.rowsPerTransaction(),
                (long) (options.bulkMegabytes() * 1e6 / options.bytesPerRow()),
                options.bulkRate());
        running.add(new AsyncLoad("bulk", rows, inFlight, this::nanos, bulk));
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
        running.add(new AsyncLoad("sequential", rows, inFlight, this::nanos, sequential));
    }

    /** No more is begun; what is under way is waited for. */
    void endLoads() throws InterruptedException {
        for (AsyncLoad load : running) {
            load.stop();
        }
    }

    /** The measured time begins: without loads for so long, the hot mix ran alone. */
    void measureFromHere() {
        fromNanos = nanos();
    }

    boolean isDone() {
        return running.stream().allMatch(AsyncLoad::isDone);
    }

    long rows() {
        return bulk.rows() + sequential.rows();
    }

    // Faults.

    void kill(String dc) {
        fault(dc);
        watch.strike(nodeOf(dc));
        cluster.killIfRunning(nodeOf(dc)); // it may have ended by itself
        say("kill -9 of " + nodeOf(dc));
    }

    /** Returns when the node is up. */
    void restart(String dc) {
        restarted(dc, "", () -> cluster.restart(nodeOf(dc), RESTART_LIMIT, line -> {}));
    }

    /** The same, with other options of Cassandra's until the next time. */
    void restartWith(String dc, Map<String, String> cassandraOptions) {
        watch.strike(nodeOf(dc));
        restarted(
                dc,
                ", with " + cassandraOptions,
                () -> cluster.restartWith(nodeOf(dc), cassandraOptions, RESTART_LIMIT, line -> {}));
    }

    /** Whether it comes up or not: from here on its end is its own. */
    private void restarted(String dc, String how, Runnable start) {
        try {
            start.run();
            say(nodeOf(dc) + " is up again" + how);
        } catch (ClusterException e) {
            say(nodeOf(dc) + " does not come back: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } finally {
            watch.unstrike(nodeOf(dc));
        }
    }

    /** Of a node that was killed: what its transactions had on disk, and its commit log, are lost. */
    void emptyTransactions(String dc) {
        String table = SizeTables.BULK.substring(SizeTables.BULK.indexOf('.') + 1);
        cluster.loseTables(nodeOf(dc), SizeTables.KEYSPACE, table + "-");
        cluster.loseTables(nodeOf(dc), "meteorshower_transactions_" + dcs().indexOf(dc), "");
        say("what the transactions of " + nodeOf(dc) + " had on disk is deleted");
    }

    void fillDisk(String dc) {
        fault(dc);
        if (cluster.isRunning(nodeOf(dc))) {
            cluster.fillDisk(nodeOf(dc));
        }
        say("the disk of " + nodeOf(dc) + " is full");
    }

    void freeDisk(String dc) {
        if (cluster.isRunning(nodeOf(dc))) {
            cluster.freeDisk(nodeOf(dc));
        }
        say("the disk of " + nodeOf(dc) + " has room again");
    }

    /** Lanes may have other leaders until this phase is settled. */
    void fault(String dc) {
        watch.faultBegins();
        struckDcs.add(dc);
    }

    void band(String title, long fromBandNanos) {
        bands.add(new PhaseResult.Band(title, fromBandNanos / 1e9, nanos() / 1e9));
    }

    // Time and figures.

    /** Goes on as it is until this moment, or until all work is done; shows meanwhile what goes on. */
    void until(long endNanos) throws InterruptedException {
        while (nanos() < endNanos && !(isDone() && !running.isEmpty())) {
            Thread.sleep(TICK_MILLIS);
            show();
        }
    }

    void show() {
        display.live(String.format(
                Locale.ROOT,
                "%7.1f s  %s: %,d rows acknowledged, %,d refused, %,d unknown; deaths %d",
                nanos() / 1e9,
                kind.word(),
                rows(),
                bulk.refused() + sequential.refused(),
                bulk.unknown() + sequential.unknown(),
                watch.deaths().size()));
    }

    void say(String line) {
        display.say(String.format(Locale.ROOT, "%7.1f s  %s", nanos() / 1e9, line));
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
        Map<String, Double> shares = new TreeMap<>();
        for (NodeSpec node : cluster.nodes()) {
            if (!cluster.isRunning(node.name())) {
                continue;
            }
            try (HeapProbe probe = new HeapProbe(cluster.pid(node.name()))) {
                probe.collect();
                shares.put(node.name(), probe.look().shareAfterCollection());
            } catch (IOException | AttachNotSupportedException | ClusterException e) {
                say("the heap of " + node.name() + " is not known: " + e.getMessage());
            }
        }
        collected.put(name, shares);
    }

    // The end.

    /** Stops the loads, waits until all is as before, reads everything, and judges. */
    PhaseResult end() throws InterruptedException {
        untilNanos = nanos();
        watch.faultBegins(); // a collection that is asked for is a pause
        for (AsyncLoad load : running) {
            load.stop();
        }
        collect("load ends");
        if (mix != null) {
            mix.stop();
        }
        say(String.format(
                Locale.ROOT, "the load has ended: %,d rows acknowledged; waits until all is as before", rows()));
        Ending ending = new Ending(cluster, others, display, this::nanos);
        long begun = System.nanoTime();
        long deadline = begun + options.settleLimit().toNanos();
        String obstacle = ending.settle(mix, deadline);
        double settled = (System.nanoTime() - begun) / 1e9;
        say(
                obstacle.isEmpty()
                        ? String.format(Locale.ROOT, "as before after %.1f s", settled)
                        : "NOT as before: " + obstacle);
        collect("settled");
        List<String> violations = new ArrayList<>();
        long lookedUntil = Math.max(deadline, System.nanoTime() + LOST_LIMIT.toNanos());
        long lost = ending.lost(SizeTables.BULK, bulkLedger, violations, lookedUntil)
                + ending.lost(SizeTables.SEQUENTIAL, sequentialLedger, violations, lookedUntil);
        if (mix != null && ending.allRun()) {
            violations.addAll(mix.findings());
        }
        ending.unread().forEach(line -> say("NOT as before: " + line));
        if (obstacle.isEmpty() && !ending.unread().isEmpty()) {
            obstacle = ending.unread().get(0);
        }
        note("leaderships_in_logs", (double) logs.count(" LEADS: lane "));
        watch.close();
        PhaseResult result = new PhaseResult(
                kind,
                fromNanos,
                untilNanos,
                settled,
                obstacle,
                lost,
                violations,
                watch.deaths(),
                bulk,
                sequential,
                mix == null ? Map.of() : mix.latencies(dcs().indexOf(struckDcs.isEmpty() ? "" : last())),
                mix == null ? Map.of() : mix.failures(),
                waits,
                collected,
                watch.lanes(),
                watch.budgets(),
                watch.samples(),
                notes,
                bands);
        if (!result.isRight()) {
            cluster.nodes().forEach(node -> logs.keep(node.name(), "wrong"));
        }
        return result;
    }

    @Override
    public void close() {
        watch.close();
        running.forEach(AsyncLoad::close);
        if (mix != null) {
            mix.close();
        }
        loads.close();
        others.close();
    }
}
