/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.meteorshower.lab.torture.PanelSvg;

/**
 * Draws a run: what was acknowledged and what failed, heaps, budgets, and what lies on disk, with the faults as bands.
 */
final class SizeSvg {
    private static final double MEGABYTE = 1e6;
    private static final int BULK = 3;
    private static final int SEQUENTIAL = 4;

    private final SizeResult result;
    private final List<String> nodes;
    private final int seconds;

    private SizeSvg(SizeResult result) {
        this.result = result;
        nodes = result.phases().stream()
                .flatMap(phase -> phase.samples().stream())
                .map(NodeSample::node)
                .distinct()
                .limit(3)
                .toList();
        double last = result.phases().stream().mapToDouble(SizeSvg::end).max().orElse(0);
        seconds = 1 + (int) last;
    }

    static String of(SizeResult result) {
        return new SizeSvg(result).draw();
    }

    private static double end(PhaseResult phase) {
        return Math.max(
                phase.untilNanos() / 1e9,
                phase.samples().stream().mapToDouble(NodeSample::second).max().orElse(0));
    }

    private String draw() {
        List<String> legend = new ArrayList<>(nodes);
        while (legend.size() < BULK) {
            legend.add("");
        }
        legend.addAll(List.of("bulk", "sequential"));
        List<PanelSvg.Band> bands = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            bands.add(new PanelSvg.Band(
                    phase.fromNanos() / 1e9,
                    phase.untilNanos() / 1e9,
                    phase.kind().word()));
            phase.bands()
                    .forEach(band -> bands.add(new PanelSvg.Band(band.fromSecond(), band.toSecond(), band.title())));
        }
        PanelSvg svg = new PanelSvg(seconds, "meteor torture size", legend, bands, 8);
        svg.linear("rows acknowledged a second", 1, loads(Tally::rowsBySecond));
        svg.linear("requests that failed, a second", 1, loads(Tally::errorsBySecond));
        svg.millis("latency, 99th percentile of each second", loads(Tally::p99BySecond));
        svg.linear("mutations in flight", 1, perNode(false, SizeSvg::records));
        List<PanelSvg.Line> heap = new ArrayList<>(perNode(false, SizeSvg::used));
        heap.addAll(perNode(true, SizeSvg::afterCollection));
        svg.linear("heap, MB; dashed: old objects after a full collection", 1, heap);
        svg.linear("fullest budget, share of it", 1, perNode(false, SizeSvg::fullest));
        svg.linear(
                "journal on disk, MB", 1, perNode(false, sample -> sample.disk().journal() / MEGABYTE));
        svg.linear(
                "transactions' log and rows on disk, MB",
                1,
                perNode(false, sample -> sample.disk().transactionLog() / MEGABYTE));
        return svg.end();
    }

    private interface BySecond {
        double[] of(Tally tally, long fromNanos, long untilNanos);
    }

    private List<PanelSvg.Line> loads(BySecond values) {
        double[] bulk = new double[seconds];
        double[] sequential = new double[seconds];
        Arrays.fill(bulk, Double.NaN);
        Arrays.fill(sequential, Double.NaN);
        for (PhaseResult phase : result.phases()) {
            put(phase, values.of(phase.bulk(), phase.fromNanos(), phase.untilNanos()), bulk);
            put(phase, values.of(phase.sequential(), phase.fromNanos(), phase.untilNanos()), sequential);
        }
        return List.of(new PanelSvg.Line(BULK, false, bulk), new PanelSvg.Line(SEQUENTIAL, false, sequential));
    }

    private void put(PhaseResult phase, double[] values, double[] line) {
        int first = (int) (phase.fromNanos() / 1_000_000_000L);
        // The last second is not a whole one.
        for (int i = 0; i < values.length - 1 && first + i < seconds; i++) {
            line[first + i] = values[i];
        }
    }

    private List<PanelSvg.Line> perNode(boolean dashed, ToDoubleFunction<NodeSample> value) {
        List<PanelSvg.Line> lines = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            double[] values = new double[seconds];
            Arrays.fill(values, Double.NaN);
            for (PhaseResult phase : result.phases()) {
                for (NodeSample sample : phase.samples()) {
                    if (sample.node().equals(nodes.get(node))) {
                        values[(int) sample.second()] = value.applyAsDouble(sample);
                    }
                }
            }
            lines.add(new PanelSvg.Line(node, dashed, values));
        }
        return lines;
    }

    private static double used(NodeSample sample) {
        HeapProbe.Heap heap = sample.heap();
        return heap == null ? Double.NaN : heap.used() / MEGABYTE;
    }

    private static double afterCollection(NodeSample sample) {
        HeapProbe.Heap heap = sample.heap();
        return heap == null || heap.oldAfterCollection() == 0 ? Double.NaN : heap.oldAfterCollection() / MEGABYTE;
    }

    private static double records(NodeSample sample) {
        return sample.told() == null ? Double.NaN : sample.told().records();
    }

    private static double fullest(NodeSample sample) {
        TableProbe.Told told = sample.told();
        return told == null
                ? Double.NaN
                : told.budgets().stream()
                        .filter(use -> use.limit() > 0)
                        .mapToDouble(use -> (double) use.used() / use.limit())
                        .max()
                        .orElse(Double.NaN);
    }
}
