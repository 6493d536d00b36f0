/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.Traffic;
import org.meteorshower.lab.console.Numbers;

/**
 * What is drawn against an axis. Immutable.
 *
 * @param unit of the values; those of {@code ms} go before those that are none
 * @param grid that holds given values
 * @param value NaN where there is none
 */
record Figure(String name, String unit, Function<List<Double>, Grid> grid, ToDoubleFunction<Series> value) {
    private static final List<Figure> ALL = all();

    private static List<Figure> all() {
        List<Figure> all = new ArrayList<>();
        for (double percentile : new double[] {50, 99}) {
            for (Op op : Op.values()) {
                all.add(new Figure(
                        op.word() + " p" + Numbers.plain(percentile),
                        "ms",
                        Scale::holding,
                        series -> series.millisAt(op, percentile)));
            }
        }
        all.add(new Figure("reads answered locally", "%", values -> new Linear(100), s -> s.localShare() * 100));
        all.add(new Figure("age of reads, p99", "ms", Scale::holding, s -> Numbers.millisAt(s.staleness(), 99)));
        all.add(new Figure("status bytes by node", "B/s", Scale::holding, series -> series.traffic(Traffic::byteRate)));
        all.add(new Figure(
                "CPU by node, of one processor", "%", Linear::holding, series -> series.nodeProcessorShare() * 100));
        return List.copyOf(all);
    }

    static List<Figure> against(Axis axis) {
        // What a status message costs does not hang on how far it goes.
        return axis == Axis.DELAY ? ALL.subList(0, ALL.size() - 2) : ALL;
    }

    boolean isKnown(List<Comparison> points) {
        return points.stream()
                .flatMap(point -> point.series().stream())
                .anyMatch(series -> Double.isFinite(value.applyAsDouble(series)));
    }
}
