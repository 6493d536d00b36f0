/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.console.Json;
import org.meteorshower.simulator.Kind;

/**
 * A sweep over seeds with what it shows meanwhile and in the end. Where it is interrupted it tells what was done so
 * far.
 */
final class SweepShow {
    private static final int FOUND = 1;
    private static final int SHOWN_FAILURES = 5;

    private final SeedRange range;
    private final @Nullable Kind kind;
    private final int threads;
    private final @Nullable Path json;
    private final PrintWriter out;
    private final PrintWriter err;
    private final SweepTally tally = new SweepTally();
    private final AtomicBoolean told = new AtomicBoolean();

    SweepShow(
            SeedRange range, @Nullable Kind kind, int threads, @Nullable Path json, PrintWriter out, PrintWriter err) {
        this.range = range;
        this.kind = kind;
        this.threads = threads;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code. */
    int run() throws InterruptedException {
        Thread interrupted = new Thread(() -> tell(false), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "simulate-progress");
            thread.setDaemon(true);
            return thread;
        });
        try {
            var unused = ticker.scheduleAtFixedRate(this::progress, 2, 2, TimeUnit.SECONDS);
            new Sweep(range, kind, tally).run(threads);
        } finally {
            ticker.shutdownNow();
            forget(interrupted);
        }
        tell(true);
        SweepTally.Counts counts = tally.counts();
        return counts.violations() + counts.stalls() > 0 ? FOUND : 0;
    }

    /** Takes a shutdown hook back. */
    static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already.
        }
    }

    private void progress() {
        err.println(figures(tally.counts()));
    }

    private String figures(SweepTally.Counts counts) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d seeds, %,d operations, %d violations, %d stalls, %,d operations/s (%,d per second of CPU)",
                counts.seeds(),
                range.count(),
                counts.operations(),
                counts.violations(),
                counts.stalls(),
                Math.round(counts.operationsPerSecond()),
                Math.round(counts.operationsPerCpuSecond()));
    }

    private void tell(boolean complete) {
        if (told.getAndSet(true)) {
            return;
        }
        SweepTally.Counts counts = tally.counts();
        if (!complete) {
            out.println("interrupted; so far:");
        }
        counts.failures().stream().limit(SHOWN_FAILURES).forEach(failure -> {
            out.println("seed " + failure.seed() + ", found by " + failure.foundBy() + ":");
            out.println(failure.complaint());
            out.println("replay with: " + failure.command());
        });
        if (counts.failures().size() > SHOWN_FAILURES) {
            out.println("and more; --json FILE has up to a hundred of them");
        }
        out.println(figures(counts));
        if (counts.undecided() > 0) {
            out.println(counts.undecided()
                    + " histories were too hard for the checker within its limits; the oracle and the"
                    + " invariants have judged them");
        }
        if (json != null) {
            Json.write(SimulationJson.sweep(counts, threads, complete), json);
        }
    }
}
