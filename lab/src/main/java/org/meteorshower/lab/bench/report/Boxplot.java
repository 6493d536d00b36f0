/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.console.Numbers;

/** Latencies of each series as a box, as in figures 4.18 to 4.23 of the thesis, lying and on a logarithmic axis. */
final class Boxplot {
    private static final int LEFT = 8;
    private static final int RIGHT = 46;
    private static final int TOP = 26;
    private static final int ROW = 38;

    private Boxplot() {}

    /** Empty where there is nothing to draw. */
    static String of(String title, List<Series> series, Function<Series, Histogram> told, Colours colours) {
        List<Histogram> latencies = series.stream().map(told).toList();
        List<Double> extremes = new ArrayList<>();
        latencies.forEach(histogram -> {
            extremes.add(Numbers.millisAt(histogram, 1));
            extremes.add(Numbers.millisAt(histogram, 99.9));
        });
        if (extremes.stream().allMatch(value -> value.isNaN())) {
            return "";
        }
        Scale scale = Scale.holding(extremes);
        int bottom = TOP + ROW * series.size();
        Svg svg = new Svg(bottom + 22, title);
        for (double tick : scale.ticks()) {
            svg.line(x(scale, tick), TOP, x(scale, tick), bottom, "grid");
            svg.text(x(scale, tick), bottom + 14, "middle", "tick", scale.label(tick));
        }
        svg.text(Svg.WIDTH, bottom + 14, "end", "tick", "ms");
        for (int row = 0; row < series.size(); row++) {
            box(svg, scale, TOP + row * ROW, series.get(row).label(), latencies.get(row), colours.of(series.get(row)));
        }
        return svg.end();
    }

    private static double x(Scale scale, double millis) {
        return LEFT + (Svg.WIDTH - LEFT - RIGHT) * scale.at(millis);
    }

    private static void box(Svg svg, Scale scale, double top, String label, Histogram latencies, String colour) {
        svg.text(LEFT, top + 12, "start", "label", label);
        if (latencies.getTotalCount() == 0) {
            svg.text(Svg.WIDTH - RIGHT, top + 12, "end", "tick", "none");
            return;
        }
        double middle = top + 25;
        double low = x(scale, Numbers.millisAt(latencies, 1));
        double quarter = x(scale, Numbers.millisAt(latencies, 25));
        double median = x(scale, Numbers.millisAt(latencies, 50));
        double threeQuarters = x(scale, Numbers.millisAt(latencies, 75));
        double high = x(scale, Numbers.millisAt(latencies, 99));
        svg.line(low, middle, high, middle, "whisker " + colour);
        svg.line(low, middle - 4, low, middle + 4, "whisker " + colour);
        svg.line(high, middle - 4, high, middle + 4, "whisker " + colour);
        svg.box(quarter, middle - 7, threeQuarters - quarter, 14, "box " + colour);
        svg.line(median, middle - 9, median, middle + 9, "median " + colour);
        svg.dot(x(scale, Numbers.millisAt(latencies, 99.9)), middle, 2.2, "dot " + colour);
        svg.text(Svg.WIDTH, middle + 4, "end", "value", Numbers.of(Numbers.millisAt(latencies, 50)));
    }
}
