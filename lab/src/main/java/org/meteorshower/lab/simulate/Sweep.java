/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/** Runs a range of seeds on some threads; each run has one thread to itself. */
final class Sweep {
    private final SeedRange range;
    private final @Nullable Kind kind;
    private final SweepTally tally;
    private final AtomicLong next;
    private final Runs runs = Runs.of(Bug.NONE);

    /** @param kind of all plans, or null where each seed draws its own */
    Sweep(SeedRange range, @Nullable Kind kind, SweepTally tally) {
        this.range = range;
        this.kind = kind;
        this.tally = tally;
        this.next = new AtomicLong(range.first());
    }

    /** Returns when all seeds have been run. */
    void run(int threads) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(this::work, "simulate-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        var clock = ManagementFactory.getThreadMXBean();
        for (long seed = next.getAndIncrement(); seed <= range.last(); seed = next.getAndIncrement()) {
            Kind drawn = kind == null ? Kind.of(seed) : kind;
            long before = clock.getCurrentThreadCpuTime();
            RunOutcome outcome = runs.run(drawn, seed, null);
            tally.add(drawn, seed, outcome, clock.getCurrentThreadCpuTime() - before);
        }
    }
}
