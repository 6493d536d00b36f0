/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.simulate.TrafficFigures;

/**
 * All that came of a plan. Immutable.
 *
 * @param seed of the order of the runs and of what clients draw
 * @param command which repeats it
 * @param runs those done, in their order
 * @param simulated status traffic of clusters larger than the machine carries; empty where the plan wants none
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
        List<TrafficFigures> simulated,
        @Nullable String stopped) {
    public BenchResult {
        calibrations = List.copyOf(calibrations);
        runs = List.copyOf(runs);
        simulated = List.copyOf(simulated);
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
        Set<String> titles = new HashSet<>();
        groups.values().forEach(series -> {
            List<Series> all = new ArrayList<>();
            series.forEach((label, done) -> all.add(new Series(label, done)));
            comparisons.add(new Comparison(unlike(titles, all), all));
        });
        return comparisons;
    }

    /** Ratios are told by the title of what they belong to: that of another comparison must not be used again. */
    private static String unlike(Set<String> titles, List<Series> series) {
        NetworkSpec.Shape shape = series.get(0).runs().get(0).run().network().shape();
        String title = Comparison.title(series);
        String longer = title + ", " + shape.nodes() + " nodes";
        for (int i = 1; !titles.add(title); i++) {
            title = i == 1 ? longer : longer + " (" + i + ")";
        }
        return title;
    }

    private List<BenchPlan.Cell> planned() {
        return plan.networks().stream()
                .flatMap(network -> plan.cells(network).stream())
                .toList();
    }

    /**
     * The system's name, and the network's where it is held against others on networks with the same distances and
     * nodes.
     */
    private String label(BenchPlan.Cell cell) {
        boolean alone = plan.networks().stream()
                .filter(other -> Comparison.place(other).equals(Comparison.place(cell.network())))
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
