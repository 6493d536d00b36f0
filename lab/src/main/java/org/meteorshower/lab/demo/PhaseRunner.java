/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs all clients through one phase after the other. For one thread. */
final class PhaseRunner {
    private static final long TICK_MILLIS = 250;

    /** Longer than a client's last operation can take, with every time-out and every data centre tried. */
    private static final long OVERTIME_MILLIS = 120_000;

    private final List<Participant> participants;
    private final ExecutorService pool;
    private final Workload workload;
    private final long epochNanos;

    PhaseRunner(List<Participant> participants, ExecutorService pool, Workload workload, long epochNanos) {
        this.participants = participants;
        this.pool = pool;
        this.workload = workload;
        this.epochNanos = epochNanos;
    }

    /** Called several times a second while a phase runs, on the thread that runs it. */
    interface Ticker {
        void tick(PhaseWindow window);
    }

    /** Returns when the phase is over; its figures are in the stats, which were empty. Throws {@link DemoException}. */
    void run(Phase phase, ModeStats stats, Ticker ticker) {
        PhaseWindow window = PhaseWindow.starting(phase, System.nanoTime(), stats);
        List<Future<?>> running = new ArrayList<>();
        for (Participant participant : participants) {
            running.add(pool.submit(new Worker(participant, window, workload, epochNanos)));
        }
        stats.measuredFor(phase.measureMillis());
        long deadline = window.endNanos() + TimeUnit.MILLISECONDS.toNanos(OVERTIME_MILLIS);
        for (Future<?> each : running) {
            await(each, deadline, window, ticker);
        }
        OperationStats total = stats.total();
        if (phase.measureMillis() > 0 && total.succeeded() == 0) {
            throw new DemoException(
                    "no operation succeeded in mode " + phase.mode().word() + ": "
                            + (total.firstFailure() == null ? "none was even tried" : total.firstFailure()));
        }
    }

    private static void await(Future<?> worker, long deadline, PhaseWindow window, Ticker ticker) {
        while (true) {
            try {
                worker.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new DemoException(
                            "a client hangs in mode " + window.phase().mode().word()
                                    + " beyond every time-out of the driver",
                            e);
                }
                ticker.tick(window);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DemoException("interrupted", e);
            } catch (ExecutionException e) {
                throw new DemoException("a client failed: " + e.getCause(), e);
            }
        }
    }
}
