/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.transactions.Recorded;
import org.meteorshower.lab.transactions.Snapshot;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** Clients at work in all data centres: two of three are the Java client, and go elsewhere where theirs does not answer. Thread-safe. */
public final class TransactionWorkload implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final long END_LIMIT_MILLIS = 120_000;
    private static final int MAX_KINDS_OF_FAILURE = 50;
    private static final int LONGEST_REASON = 100;

    private final TransactionClients options;
    private final List<String> dcs;
    private final long epochNanos;
    private final List<TransactionWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final Map<TransactionOutcome.Status, LongAdder> counts = new ConcurrentHashMap<>();
    private final LongAdder snapshots = new LongAdder();
    private volatile boolean on = true;

    /**
     * Begins.
     *
     * @param epochNanos when the run began
     */
    public TransactionWorkload(TransactionClients options, DataCentres dataCentres, String table, long epochNanos) {
        this.options = options;
        this.dcs = dataCentres.names();
        this.epochNanos = epochNanos;
        long pauseNanos = (long) (1e9 * options.clients() / options.rate());
        for (int i = 0; i < options.clients(); i++) {
            String home = dcs.get(i % dcs.size());
            boolean plain = i / dcs.size() % 3 == 2;
            begin(
                    plain
                            ? new Teller.Plain(dataCentres.session(home), home, table)
                            : numbered(dataCentres, home, table),
                    (plain ? "plain-" : "numbered-") + i,
                    i,
                    pauseNanos);
        }
        threads.forEach(Thread::start);
    }

    /** A client whose home is there. */
    static Teller.Numbered numbered(DataCentres dataCentres, String home, String table) {
        MeteorShowerSessionBuilder builder =
                MeteorShowerSession.builder().failover(true).dataCentre(home, dataCentres.session(home));
        dataCentres.names().stream()
                .filter(dc -> !dc.equals(home))
                .forEach(dc -> builder.dataCentre(dc, dataCentres.session(dc)));
        MeteorShowerSession session = builder.build();
        return new Teller.Numbered(
                MeteorShowerTransactions.builder(session).patience(PATIENCE).build(), session, table);
    }

    private void begin(Teller teller, String session, int number, long pauseNanos) {
        TransactionWorker worker =
                new TransactionWorker(this, teller, session, options.seed() * 1_000 + number, pauseNanos);
        workers.add(worker);
        Thread thread = new Thread(worker, session);
        thread.setDaemon(true);
        threads.add(thread);
    }

    boolean isOn() {
        return on;
    }

    int rows() {
        return options.rows();
    }

    int number(String dc) {
        return dcs.indexOf(dc);
    }

    /** Since the run began. */
    long nanos() {
        return System.nanoTime() - epochNanos;
    }

    void count(TransactionOutcome outcome) {
        counts.computeIfAbsent(outcome.status(), status -> new LongAdder()).increment();
        if (outcome.status() != TransactionOutcome.Status.COMMIT) {
            String reason = outcome.reason();
            int end = Math.min(reason.length(), LONGEST_REASON);
            failed(outcome.status().word() + ": " + reason.substring(0, end).replaceAll("[0-9a-f.:-]{4,}", "…"));
        }
    }

    void countSnapshot() {
        snapshots.increment();
    }

    long snapshots() {
        return snapshots.sum();
    }

    public long count(TransactionOutcome.Status status) {
        LongAdder count = counts.get(status);
        return count == null ? 0 : count.sum();
    }

    void failed(String kind) {
        if (failures.size() < MAX_KINDS_OF_FAILURE || failures.containsKey(kind)) {
            failures.computeIfAbsent(kind, none -> new LongAdder()).increment();
        }
    }

    /** Ends the clients, each after what it has under way. */
    public void stop() throws InterruptedException {
        on = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_LIMIT_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                throw new ClusterException(
                        "client " + thread.getName() + " hangs beyond every time-out of the driver: that is a bug");
            }
        }
    }

    /** When the clients have ended: what they did, in the order of its beginning. */
    public List<Recorded> recorded() {
        return workers.stream()
                .flatMap(worker -> worker.recorded().stream())
                .sorted(Comparator.comparingLong(Recorded::startNanos))
                .toList();
    }

    public List<Snapshot> seenSnapshots() {
        return workers.stream().flatMap(worker -> worker.snapshots().stream()).toList();
    }

    public List<Sample> samples() {
        return workers.stream().flatMap(worker -> worker.samples().stream()).toList();
    }

    /** By kind, how many did not commit. */
    public Map<String, Long> failures() {
        Map<String, Long> sorted = new TreeMap<>();
        failures.forEach((kind, count) -> sorted.put(kind, count.sum()));
        return sorted;
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
    }
}
