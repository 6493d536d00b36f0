/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.bench.plan.PlanReader;
import org.meteorshower.lab.bench.plan.Presets;

/** What is drawn against what, of results as if they had been measured. */
final class AxisTest {
    private static List<List<Double>> places(Axis axis, BenchResult result) {
        return axis.groups(result.comparisons()).stream()
                .map(points -> points.stream().map(axis::of).toList())
                .toList();
    }

    @Test
    void figuresAreDrawnAgainstWhatThePlanVariesAndNothingElse() {
        BenchResult curves = BenchSamples.result(Presets.preset("curves"));
        assertThat(places(Axis.RATE, curves)).containsExactly(List.of(20.0, 40.0, 80.0, 160.0, 320.0));
        assertThat(places(Axis.READS, curves)).containsExactly(List.of(5.0, 25.0, 50.0, 75.0, 95.0, 99.0));
        assertThat(places(Axis.ROWS, curves))
                .containsExactlyInAnyOrder(List.of(1.0, 10.0, 100.0, 1_000.0, 5_000.0), List.of(100.0, 1_000.0));
        assertThat(places(Axis.DELAY, curves)).isEmpty();
        assertThat(places(Axis.NODES, curves)).isEmpty();

        BenchResult scale = BenchSamples.result(Presets.preset("scale"));
        assertThat(places(Axis.NODES, scale)).hasSize(3).allSatisfy(at -> assertThat(at)
                .containsExactly(3.0, 6.0));
        assertThat(places(Axis.REPLICAS, scale)).hasSize(3).allSatisfy(at -> assertThat(at)
                .containsExactly(1.0, 2.0));

        BenchResult thesis = BenchSamples.result(Presets.preset("thesis"));
        assertThat(places(Axis.DELAY, thesis)).containsExactly(List.of(0.0, 25.0, 50.0, 75.0, 100.0, 150.0));
        assertThat(places(Axis.RATE, thesis)).isEmpty();

        BenchResult quick = BenchSamples.result(Presets.preset("quick"));
        for (Axis axis : Axis.values()) {
            assertThat(places(axis, quick)).as(axis.text()).isEmpty();
        }
    }

    @Test
    void aFigureOfWhichNothingIsKnownIsNotDrawn() {
        BenchResult result = BenchSamples.result(PlanReader.read("mine.yaml", """
                seconds: 1
                systems: [cassandra-quorum]
                networks: [{delay: 50, plugin: no}]
                workloads: [{name: slow, rate: 10}, {name: fast, rate: 100}]
                """));
        List<Comparison> points = Axis.RATE.groups(result.comparisons()).get(0);
        List<String> drawn = Figure.against(Axis.RATE).stream()
                .filter(figure -> !Curves.of(figure, Axis.RATE, points, new Colours(points))
                        .isEmpty())
                .map(Figure::name)
                .toList();
        assertThat(drawn)
                .contains("read p50", "write p99", "CPU by node, of one processor")
                .doesNotContain("reads answered locally", "age of reads, p99")
                .noneMatch(name -> name.startsWith("status bytes"));
    }

    @Test
    void theCommandOfAFigureNamesWhatIsInItAndNoMore() {
        BenchResult curves = BenchSamples.result(Presets.preset("curves"));
        assertThat(Repeat.of(curves, Axis.RATE.groups(curves.comparisons()).get(0)))
                .endsWith(" --network '50 ms' --workload 'rate 20' --workload 'rate 40' --workload 'base'"
                        + " --workload 'rate 160' --workload 'rate 320'");
    }

    @Test
    void comparisonsThatWouldBeCalledAlikeAreNot() {
        BenchResult result = BenchSamples.result(PlanReader.read("mine.yaml", """
                seconds: 1
                systems: [cassandra-quorum]
                networks:
                  - {name: a, delay: 50}
                  - {name: b, delay: 50, jvm: [-Dx=1]}
                  - {name: c, delay: 50, nodes-per-dc: 2}
                  - {name: d, delay: 50, nodes-per-dc: 2, jvm: [-Dx=1]}
                  - {name: e, delay: 50, nodes-per-dc: 2, replicas: 2}
                  - {name: f, delay: 50, nodes-per-dc: 2, replicas: 2, jvm: [-Dx=1]}
                workloads: [{name: w, rate: 10}]
                """));
        assertThat(result.comparisons())
                .extracting(Comparison::title)
                .containsExactly("50 ms, w", "50 ms, w, 6 nodes", "50 ms, w, 6 nodes (2)");
        assertThat(result.comparisons())
                .allSatisfy(comparison -> assertThat(comparison.series()).hasSize(2));
    }

    @Test
    void aLinearAxisEndsAtARoundNumberAtOrAboveTheLargest() {
        assertThat(Linear.holding(List.of(3.0, 7.3, Double.NaN)).most()).isEqualTo(8);
        assertThat(Linear.holding(List.of(100.0)).ticks())
                .startsWith(0.0)
                .endsWith(100.0)
                .hasSizeBetween(4, 8);
        assertThat(Linear.holding(List.of()).most()).isEqualTo(1);
        assertThat(Linear.holding(List.of(0.0)).ticks()).hasSizeBetween(2, 12);
        for (double most = 0.011; most < 2e6; most *= 1.37) {
            Linear grid = Linear.holding(List.of(most));
            assertThat(grid.most()).isBetween(most * 0.999, most * 1.5);
            assertThat(grid.ticks()).as("%s", most).hasSizeBetween(3, 12);
        }
    }
}
