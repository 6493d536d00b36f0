/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.RunResult;

/**
 * All that came of a plan. Immutable.
 *
 * @param seed of the order of the runs and of what clients draw
 * @param command which repeats it
 * @param runs those done, in their order
 * @param stopped why not all were done, or null
 */
public record BenchResult(
        BenchPlan plan,
        long seed,
        String command,
        Instant started,
        Machine machine,
        List<Calibration> calibrations,
        List<RunResult> runs,
        @Nullable String stopped) {
    public BenchResult {
        calibrations = List.copyOf(calibrations);
        runs = List.copyOf(runs);
    }

    /** What can be compared: runs at the same distances under the same workload, in the plan's order. */
    public List<Comparison> comparisons() {
        Map<List<Object>, Map<String, List<RunResult>>> groups = new LinkedHashMap<>();
        for (BenchPlan.Cell cell : planned()) {
            List<RunResult> done = runs.stream()
                    .filter(each -> each.run().network().equals(cell.network())
                            && each.run().workload().equals(cell.workload())
                            && each.run().system().equals(cell.system()))
                    .toList();
            if (!done.isEmpty()) {
                groups.computeIfAbsent(Comparison.key(cell), key -> new LinkedHashMap<>())
                        .put(label(cell), done);
            }
        }
        List<Comparison> comparisons = new ArrayList<>();
        groups.values().forEach(series -> {
            List<Series> all = new ArrayList<>();
            series.forEach((label, done) -> all.add(new Series(label, done)));
            comparisons.add(new Comparison(all));
        });
        return comparisons;
    }

    private List<BenchPlan.Cell> planned() {
        return plan.networks().stream()
                .flatMap(network -> plan.cells(network).stream())
                .toList();
    }

    /** The system's name, and the network's where several networks have the same distances. */
    private String label(BenchPlan.Cell cell) {
        boolean alone = plan.networks().stream()
                .filter(other -> other.delaysMillis().equals(cell.network().delaysMillis()))
                .allMatch(cell.network()::equals);
        return alone
                ? cell.system().name()
                : cell.system().name() + ", " + cell.network().name();
    }

    public long violations() {
        return runs.stream().filter(RunResult::isViolation).count();
    }

    public int windows() {
        return runs.stream().mapToInt(run -> run.windows().size()).sum();
    }

    public long disturbedWindows() {
        return runs.stream().mapToLong(RunResult::disturbedWindows).sum();
    }
}
