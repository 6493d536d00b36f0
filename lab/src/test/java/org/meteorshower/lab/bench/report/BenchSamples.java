/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.meteorshower.client.Served;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.Schedule;
import org.meteorshower.lab.bench.run.Latencies;
import org.meteorshower.lab.bench.run.MachineSample;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Traffic;
import org.meteorshower.lab.bench.run.Window;
import org.meteorshower.lab.simulate.TrafficFigures;

/** Results as if they had been measured. */
final class BenchSamples {
    private BenchSamples() {}

    static Window window(int second, int count, LongSupplier micros) {
        Histogram reads = histogram();
        Histogram writes = histogram();
        for (int i = 0; i < count; i++) {
            reads.recordValue(micros.getAsLong());
            writes.recordValue(micros.getAsLong());
        }
        MachineSample machine = new MachineSample(1, 0, 0.5, 0.1, 0.35, 0, second % 4 == 3 ? 50 : 1);
        return new Window(second * 1_000L, second * 1_000L + 1_000, reads, writes, machine);
    }

    private static Histogram histogram() {
        Histogram made = new Histogram(3);
        made.setAutoResize(true);
        return made;
    }

    /** Each run of the plan: MeteorShower's reads take about a millisecond, the others' as the distance says. */
    static BenchResult result(BenchPlan plan) {
        SplittableRandom random = new SplittableRandom(5);
        List<RunResult> runs = new ArrayList<>();
        for (Schedule.Stage stage : Schedule.of(plan, 1)) {
            for (PlannedRun run : stage.runs()) {
                double millis =
                        run.system().isServed() ? 1 : 1 + 2 * run.network().meanDelayMillis();
                List<Window> windows = new ArrayList<>();
                for (int second = 0; second < 8; second++) {
                    windows.add(
                            window(second, 50, () -> (long) (1_000 * (millis + -Math.log(1 - random.nextDouble())))));
                }
                runs.add(run(run, windows));
            }
        }
        return new BenchResult(
                plan,
                1,
                "./meteor bench <quick> & \"more\"",
                Instant.EPOCH,
                new Machine("a <processor> & more", 2, 1_024, "Linux", "17"),
                List.of(),
                runs,
                plan.simulatedNodes().stream()
                        .map(nodes -> new TrafficFigures(nodes, 1, 20, 4, 400, 40_000, 2_000, 0.01))
                        .toList(),
                null);
    }

    private static RunResult run(PlannedRun run, List<Window> windows) {
        Map<Served, Long> served = new EnumMap<>(Served.class);
        Histogram staleness = histogram();
        if (run.system().isServed()) {
            served.put(Served.LOCAL, 399L);
            served.put(Served.WAITED, 1L);
            staleness.recordValueWithCount(51_000, 400);
        }
        return new RunResult(
                run,
                8,
                windows,
                histogram(),
                histogram(),
                staleness,
                served,
                Map.of(),
                0,
                false,
                run.system().isServed()
                        ? new RunResult.Check("sequential", "consistent", "one order holds all", 800, 0.1)
                        : null,
                run.network().shape().plugin() ? new Traffic(8, 3, 6, 4_800, 480_000, 240_000) : null,
                null,
                byDataCentre(run));
    }

    private static Map<String, Latencies> byDataCentre(PlannedRun run) {
        Map<String, Latencies> latencies = new TreeMap<>();
        for (String dc : run.network().shape().dcs()) {
            Histogram reads = histogram();
            reads.recordValueWithCount(1_000L * (1 + latencies.size()), 100);
            latencies.put(dc, new Latencies(reads, histogram()));
        }
        return latencies;
    }
}
