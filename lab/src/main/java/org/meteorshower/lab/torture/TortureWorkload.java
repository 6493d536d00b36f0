/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.meteorshower.lab.cluster.ClusterException;

/**
 * Clients at work in all data centres, each on a thread of its own. Thread-safe.
 *
 * @param <W> what each of them is
 */
abstract class TortureWorkload<W extends TortureWorker> implements AutoCloseable {
    private static final long END_LIMIT_MILLIS = 120_000;
    private static final int MOST_KINDS_OF_FAILURE = 50;

    private final TortureLoad load;
    private final List<String> dcs;
    private final RunClock clock;
    private final List<W> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Counts<String> failures = new Counts<>(MOST_KINDS_OF_FAILURE);
    private volatile boolean on = true;

    TortureWorkload(TortureLoad load, List<String> dcs, RunClock clock) {
        this.load = load;
        this.dcs = List.copyOf(dcs);
        this.clock = clock;
    }

    /** Starts them all. To be called once, when everything else is made. */
    final void begin(IntFunction<W> worker) {
        for (int number = 0; number < load.clients(); number++) {
            W client = worker.apply(number);
            workers.add(client);
            Thread thread = new Thread(client, client.session());
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    // What a client asks.

    /** The data centre that is a client's home: they are dealt out in turn. */
    final String home(int number) {
        return dcs.get(number % dcs.size());
    }

    /** How many clients its home had before it. */
    final int round(int number) {
        return number / dcs.size();
    }

    final Random random(int number) {
        return new Random(load.seed() * 1_000 + number);
    }

    /** Between two operations of one client, on average. */
    final long pauseNanos() {
        return (long) (1e9 * load.clients() / load.rate());
    }

    final boolean isOn() {
        return on;
    }

    final int rows() {
        return load.rows();
    }

    final int number(String dc) {
        return dcs.indexOf(dc);
    }

    /** Since the run began. */
    final long nanos() {
        return clock.nanos();
    }

    final void failed(String kind) {
        failures.add(kind);
    }

    // What whoever began them asks.

    /** How much was done, in words. */
    abstract String progress();

    /** Ends the clients, each after what it has under way. */
    public final void stop() throws InterruptedException {
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

    /** To be read when they have ended. */
    final List<W> workers() {
        return workers;
    }

    /** All that was timed, when the clients have ended. */
    public final List<Sample> samples() {
        return workers.stream().flatMap(worker -> worker.samples().stream()).toList();
    }

    /** By kind, how much failed. */
    public final Map<String, Long> failures() {
        return failures.all();
    }

    @Override
    public final void close() {
        on = false;
        threads.forEach(Thread::interrupt);
    }
}
