/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.port.Settings;

/**
 * How long commits take without faults, by data centre. Disks take about half a millisecond a write and as much for the
 * fence, a client's way to its data centre a quarter of one; nothing takes processor time.
 */
public final class LatencyRun {
    /** With it connections end when a process dies. */
    private static final long SEED = 2;

    private static final long DISK_MICROS = 400;
    private static final long LASTS_MICROS = 20_000_000;
    private static final long WARM_UP_MICROS = 5_000_000;
    private static final long DIES_MICROS = 10_000_000;
    private static final long SETTLES_MICROS = 5_000_000;
    private static final long AWAY_MICROS = 5_000_000;

    /**
     * @param commits that were measured
     * @param median in microseconds
     * @param p99 in microseconds
     */
    public record Figures(int commits, long median, long p99) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f / %.1f ms (%d)", median / 1e3, p99 / 1e3, commits);
        }
    }

    private LatencyRun() {}

    /**
     * @param delaysMicros one way, from data centre to data centre
     * @param jitterShare of the delay that comes on top, at most
     * @param hot the share of operations that append to one row that all data centres share
     * @return by data centre
     */
    public static List<Figures> measure(List<List<Long>> delaysMicros, double jitterShare, double hot) {
        SimulationResult result = run(new Simulation(plan(delaysMicros, jitterShare, hot), Trace.NONE));
        return figures(result, delaysMicros.size(), WARM_UP_MICROS);
    }

    private static List<Figures> figures(SimulationResult result, int dcs, long fromMicros) {
        List<Figures> figures = new ArrayList<>();
        for (int dc = 0; dc < dcs; dc++) {
            List<Long> micros = new ArrayList<>();
            for (SimulationResult.Finished finished : result.operations()) {
                Operation operation = finished.operation();
                if (operation.dc == dc
                        && operation.status == Operation.Status.OK
                        && operation.attempts == 1
                        && operation.invokedMicros > fromMicros
                        && operation.kind == Operation.Kind.LISTS) {
                    micros.add(operation.answeredMicros - operation.invokedMicros);
                }
            }
            Collections.sort(micros);
            figures.add(new Figures(
                    micros.size(), micros.get(micros.size() / 2), micros.get((int) (micros.size() * 0.99))));
        }
        return figures;
    }

    /**
     * How long clients of the others wait at most when a data centre's process dies, or stands still.
     *
     * @param delaysMicros one way, from data centre to data centre
     * @param dies the number of the data centre
     * @param stands whether its connections stay: its machine vanished, or the process only stands still
     * @return by data centre, in microseconds; its own is of no interest
     */
    public static List<Long> longestWaits(List<List<Long>> delaysMicros, int dies, boolean stands) {
        Simulation simulation = new Simulation(plan(delaysMicros, 0, 0), Trace.NONE);
        World world = simulation.world();
        world.scheduler.after(DIES_MICROS, () -> {
            if (stands) {
                simulation.faults().pause(world.dcs.get(dies), AWAY_MICROS);
            } else {
                simulation.faults().kill(world.dcs.get(dies), AWAY_MICROS);
            }
        });
        SimulationResult result = run(simulation);
        List<Long> longest = new ArrayList<>(Collections.nCopies(delaysMicros.size(), 0L));
        for (SimulationResult.Finished finished : result.operations()) {
            Operation operation = finished.operation();
            if (operation.attempts == 1
                    && operation.answeredMicros > DIES_MICROS
                    && operation.invokedMicros < DIES_MICROS + AWAY_MICROS) {
                longest.set(
                        operation.dc,
                        Math.max(longest.get(operation.dc), operation.answeredMicros - operation.invokedMicros));
            }
        }
        return longest;
    }

    /**
     * How long commits of the others take while a data centre's messages, both ways, take up to so much longer, each as
     * it comes: a way that loses packets looks like this.
     *
     * @param delaysMicros one way, from data centre to data centre
     * @param unsteady the number of the data centre
     * @param mostMicros longer
     * @return by data centre, from five seconds after it began; its own are among them
     */
    public static List<Figures> whileOneIsUnsteady(List<List<Long>> delaysMicros, int unsteady, long mostMicros) {
        Simulation simulation = new Simulation(plan(delaysMicros, 0, 0), Trace.NONE);
        World world = simulation.world();
        world.scheduler.after(DIES_MICROS, () -> simulation.faults().slow(unsteady, true, true, 0, mostMicros));
        return figures(run(simulation), delaysMicros.size(), DIES_MICROS + SETTLES_MICROS);
    }

    /** Spread rows, no jitter. */
    static Plan plan(List<List<Long>> delaysMicros, long lastsMicros) {
        return plan(delaysMicros, lastsMicros, Settings.DEFAULT);
    }

    /** The same, tuned. */
    static Plan plan(List<List<Long>> delaysMicros, long lastsMicros, Settings settings) {
        return plan(delaysMicros, 0, 0, lastsMicros, settings);
    }

    private static Plan plan(List<List<Long>> delaysMicros, double jitterShare, double hot) {
        return plan(delaysMicros, jitterShare, hot, LASTS_MICROS, Settings.DEFAULT);
    }

    private static Plan plan(
            List<List<Long>> delaysMicros, double jitterShare, double hot, long lastsMicros, Settings settings) {
        return new Plan(
                SEED,
                delaysMicros,
                new SimulationPlan.Links(0, List.of(), 0, jitterShare, 0, 0, 0),
                new Plan.Work(8, 7_000, lastsMicros, 50, 50, hot, 5_000_000),
                Plan.Load.NONE,
                Plan.Faults.none(DISK_MICROS),
                settings);
    }

    static SimulationResult run(Simulation simulation) {
        SimulationResult result = simulation.run();
        if (result.violation() != null || result.stall() != null) {
            throw new IllegalStateException("a run went wrong: " + result.violation() + result.stall());
        }
        return result;
    }
}
