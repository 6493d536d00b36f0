/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;

/**
 * Sessions at work on the table: those with tokens move between data centres all the time, those of stock drivers stay with
 * one coordinator each. Thread-safe.
 */
final class Workload implements AutoCloseable {
    private static final long END_LIMIT_MILLIS = 120_000;
    private static final int MAX_KINDS_OF_FAILURE = 50;

    private final TortureOptions options;
    private final List<String> dcs;
    private final long epochNanos;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Client.Roaming> roaming = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final Map<Sample.What, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<String> incomplete = new ConcurrentLinkedQueue<>();
    private volatile boolean on = true;

    Workload(TortureOptions options, DataCentres dataCentres, long epochNanos) {
        this.options = options;
        this.dcs = dataCentres.names();
        this.epochNanos = epochNanos;
        long pauseNanos = (long) (1e9 * options.sessions() / options.operationsPerSecond());
        for (int i = 0; i < options.sessions(); i++) {
            String home = dcs.get(i % dcs.size());
            // One in four has a stock driver.
            if (i / dcs.size() % 4 == 3) {
                begin(new Client.Stock(dataCentres.session(home), home), "stock-" + i, i, pauseNanos);
            } else {
                Client.Roaming roamer = Client.Roaming.of(dataCentres, home);
                roaming.add(roamer);
                begin(roamer, "roaming-" + i, i, pauseNanos);
            }
        }
        threads.forEach(Thread::start);
    }

    private void begin(Client client, String session, int number, long pauseNanos) {
        Worker worker = new Worker(this, client, session, options.seed() * 1_000 + number, pauseNanos);
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

    double readShare() {
        return options.readShare();
    }

    int number(String dc) {
        return dcs.indexOf(dc);
    }

    /** Since the run began. */
    long nanos() {
        return System.nanoTime() - epochNanos;
    }

    void count(Sample sample) {
        counts.computeIfAbsent(sample.what(), what -> new LongAdder()).increment();
    }

    long count(Sample.What what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    void failed(RuntimeException failure) {
        if (failures.size() < MAX_KINDS_OF_FAILURE) {
            failures.computeIfAbsent(failure.getClass().getSimpleName(), kind -> new LongAdder())
                    .increment();
        }
    }

    /** A session could not do its last reads. */
    void incomplete(String session) {
        incomplete.add(session);
    }

    /** The sessions that could not read every row in time after all faults were undone. */
    List<String> incomplete() {
        return List.copyOf(incomplete);
    }

    /** Ends the sessions, each after reading every row wherever it can. */
    History stop() throws InterruptedException {
        on = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_LIMIT_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                throw new ClusterException(
                        "session " + thread.getName() + " hangs beyond every time-out of the driver: that is a bug");
            }
        }
        HistoryBuilder builder = History.builder();
        workers.forEach(worker -> worker.operations().forEach(builder::add));
        return builder.build();
    }

    /** All that was timed, when the sessions have ended. */
    List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        workers.forEach(worker -> samples.addAll(worker.samples()));
        return samples;
    }

    /** By kind, how many operations failed. */
    Map<String, Long> failures() {
        Map<String, Long> sorted = new TreeMap<>();
        failures.forEach((kind, count) -> sorted.put(kind, count.sum()));
        return sorted;
    }

    List<Client.Roaming> roaming() {
        return roaming;
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
    }
}
