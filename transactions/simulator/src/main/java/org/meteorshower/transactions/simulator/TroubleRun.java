/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.port.Settings;

/**
 * How long what clients ask of a data centre takes while another one is in trouble, and how often lanes are led anew.
 */
public final class TroubleRun {
    private static final long BEGINS_MICROS = 10_000_000;
    private static final long SETTLES_MICROS = 300_000;

    /** Lanes go back to their owners in this time. */
    private static final long AFTER_MICROS = 4_000_000;

    /**
     * Of one data centre, in microseconds.
     *
     * @param longest of all that waited while the trouble lasted, or soon after
     * @param p99 of what was asked for between 300 ms after the trouble began and its end
     * @param unknown how many were told that, or nothing
     */
    public record Figures(long longest, long p50, long p99, int unknown) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "longest %4d, p50 %4d, p99 %4d, unknown %d",
                    longest / 1_000,
                    p50 / 1_000,
                    p99 / 1_000,
                    unknown);
        }
    }

    /**
     * @param byDc the data centre in trouble is among them
     * @param newLeaders how often a lane was led anew
     */
    public record Result(List<Figures> byDc, int newLeaders) {}

    private TroubleRun() {}

    /**
     * @param delaysMicros one way, from data centre to data centre
     * @param dc which one is in trouble
     * @param lastsMicros the trouble
     */
    public static Result measure(List<List<Long>> delaysMicros, int dc, Trouble trouble, long lastsMicros) {
        return measure(delaysMicros, dc, trouble, lastsMicros, Settings.DEFAULT);
    }

    /** The same, tuned. */
    static Result measure(List<List<Long>> delaysMicros, int dc, Trouble trouble, long lastsMicros, Settings settings) {
        long untilMicros = BEGINS_MICROS + lastsMicros + AFTER_MICROS;
        Simulation simulation = new Simulation(LatencyRun.plan(delaysMicros, untilMicros, settings), Trace.NONE);
        World world = simulation.world();
        int[] before = {0};
        long[] began = {0};
        world.scheduler.after(BEGINS_MICROS, () -> {
            began[0] = world.scheduler.nowMicros();
            before[0] = world.alarms.getOrDefault("LEADS", 0);
            trouble.begin(world, simulation.faults(), dc, lastsMicros);
        });
        SimulationResult result = LatencyRun.run(simulation);
        List<Figures> figures = new ArrayList<>();
        for (int at = 0; at < delaysMicros.size(); at++) {
            figures.add(figures(result, at, began[0], began[0] + lastsMicros));
        }
        return new Result(figures, result.alarms().getOrDefault("LEADS", 0) - before[0]);
    }

    private static Figures figures(SimulationResult result, int dc, long beganMicros, long endsMicros) {
        List<Long> meanwhile = new ArrayList<>();
        long longest = 0;
        int unknown = 0;
        for (SimulationResult.Finished finished : result.operations()) {
            Operation operation = finished.operation();
            boolean local = operation.kind == Operation.Kind.SNAPSHOT_OF_LISTS
                    || operation.kind == Operation.Kind.SNAPSHOT_OF_BANK;
            if (operation.dc != dc || local || operation.invokedMicros >= endsMicros + AFTER_MICROS) {
                continue;
            }
            boolean isOver = operation.attempts > 1 || operation.answeredMicros < 0;
            if (isOver) {
                unknown += operation.invokedMicros > beganMicros - SETTLES_MICROS ? 1 : 0;
                continue;
            }
            long micros = operation.answeredMicros - operation.invokedMicros;
            longest = operation.answeredMicros > beganMicros ? Math.max(longest, micros) : longest;
            if (operation.invokedMicros > beganMicros + SETTLES_MICROS && operation.invokedMicros < endsMicros) {
                meanwhile.add(micros);
            }
        }
        Collections.sort(meanwhile);
        return meanwhile.isEmpty()
                ? new Figures(longest, 0, 0, unknown)
                : new Figures(
                        longest,
                        meanwhile.get(meanwhile.size() / 2),
                        meanwhile.get((int) (meanwhile.size() * 0.99)),
                        unknown);
    }
}
