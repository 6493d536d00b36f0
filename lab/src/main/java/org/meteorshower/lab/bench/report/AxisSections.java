/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.console.Numbers;

/** The page's sections on what the plan varies. For one thread. */
final class AxisSections {
    private final BenchResult result;
    private final List<Comparison> comparisons;
    private final Colours colours;
    private final Html html;

    AxisSections(BenchResult result, List<Comparison> comparisons, Colours colours, Html html) {
        this.result = result;
        this.comparisons = comparisons;
        this.colours = colours;
        this.html = html;
    }

    /** Where a workload ran on several networks: the answer by network, also of networks that are on no axis. */
    void byNetwork() {
        Map<WorkloadSpec, List<Comparison>> byWorkload = new LinkedHashMap<>();
        comparisons.forEach(comparison -> byWorkload
                .computeIfAbsent(comparison.workload(), workload -> new ArrayList<>())
                .add(comparison));
        byWorkload.forEach((workload, all) -> {
            if (all.size() > 1) {
                html.leaf("h2", workload.name() + ", by network");
                for (Op op : Op.values()) {
                    Tables.byPoint(html, all, point -> point.network().name(), op);
                }
                List<List<Comparison>> drawn = Axis.DELAY.groups(all);
                legend(all);
                drawn.forEach(points -> charts(Axis.DELAY, points));
            }
        });
    }

    /** A section for everything else that the plan varies. */
    void against() {
        for (Axis axis : Axis.values()) {
            if (axis != Axis.DELAY) {
                axis.groups(comparisons).forEach(points -> section(axis, points));
            }
        }
    }

    private void section(Axis axis, List<Comparison> points) {
        html.leaf("h2", "Against " + axis.text() + (axis == Axis.ROWS ? ": the fewer, the more contention" : ""));
        html.leaf("p", constant(axis, points.get(0)), "class", "soft");
        for (Op op : Op.values()) {
            Tables.byPoint(html, points, point -> Scale.text(axis.of(point)) + " " + axis.unit(), op);
        }
        legend(points);
        charts(axis, points);
    }

    private void charts(Axis axis, List<Comparison> points) {
        html.open("div", "class", "charts").line();
        String command = Repeat.of(result, points);
        for (Figure figure : Figure.against(axis)) {
            Parts.figure(html, Curves.of(figure, axis, points, colours), command);
        }
        html.close().line();
    }

    /** What is the same at all points. */
    private static String constant(Axis axis, Comparison point) {
        WorkloadSpec workload = point.workload();
        List<String> parts = new ArrayList<>();
        parts.add(point.network().delaysMillis().stream()
                .map(Numbers::plain)
                .collect(Collectors.joining("/", "", " ms one way")));
        if (axis != Axis.NODES) {
            parts.add(point.network().shape().nodes() + " nodes");
        }
        if (axis != Axis.REPLICAS) {
            int replicas = point.network().shape().replicasPerDc();
            parts.add(replicas + (replicas == 1 ? " replica" : " replicas") + " in each data centre");
        }
        if (axis != Axis.ROWS) {
            parts.add(String.format(Locale.ROOT, "%,d rows", workload.rows()));
        }
        parts.add(workload.zipfian() ? "Zipfian" : "uniform");
        if (axis != Axis.READS) {
            parts.add(String.format(Locale.ROOT, "%.0f %% reads", workload.readShare() * 100));
        }
        if (axis != Axis.RATE) {
            parts.add(
                    workload.isOpenLoop()
                            ? Numbers.plain(workload.ratePerDc()) + " operations a second in each data centre"
                            : workload.sessionsPerDc() + " sessions in each data centre, as fast as they are answered");
        }
        return String.join("; ", parts) + ".";
    }

    private void legend(List<Comparison> points) {
        Map<String, Series> shown = new LinkedHashMap<>();
        Lines.of(points)
                .forEach(
                        (name, line) -> shown.put(name, line.values().iterator().next()));
        Parts.legend(html, shown, colours);
    }
}
