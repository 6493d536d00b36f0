/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.console.Numbers;

/**
 * Latency, or age, at each percentile up to 99.99, where so many were measured; each nine is as wide as the one before.
 */
final class PercentileCurves {
    private static final int LEFT = 38;
    private static final int RIGHT = 10;
    private static final int TOP = 26;
    private static final int HEIGHT = 230;
    private static final double NINES = 4;
    private static final int STEPS = 160;

    private PercentileCurves() {}

    /** Empty where there is nothing to draw. */
    static String of(String title, List<Series> series, Function<Series, Histogram> micros, Colours colours) {
        List<Histogram> latencies = series.stream().map(micros).toList();
        List<Double> extremes = new ArrayList<>();
        latencies.forEach(histogram -> {
            extremes.add(Numbers.millisAt(histogram, 1));
            extremes.add(Numbers.millisAt(histogram, 100 * (1 - Math.pow(10, -nines(histogram)))));
        });
        if (extremes.stream().allMatch(value -> value.isNaN())) {
            return "";
        }
        Scale scale = Scale.holding(extremes);
        Svg svg = new Svg(TOP + HEIGHT + 22, title);
        for (double tick : scale.ticks()) {
            svg.line(LEFT, y(scale, tick), Svg.WIDTH - RIGHT, y(scale, tick), "grid");
            svg.text(LEFT - 5, y(scale, tick) + 4, "end", "tick", scale.label(tick));
        }
        svg.text(0, TOP + HEIGHT + 15, "start", "tick", "ms");
        double[] shares = {0.5, 0.9, 0.99, 0.999, 0.9999};
        for (double share : shares) {
            double x = x(-Math.log10(1 - share));
            svg.line(x, TOP, x, TOP + HEIGHT, "grid");
            svg.text(
                    Math.min(x, Svg.WIDTH - 24),
                    TOP + HEIGHT + 15,
                    "middle",
                    "tick",
                    "p" + Numbers.plain(Math.round(share * 1e6) / 1e4));
        }
        for (int i = 0; i < series.size(); i++) {
            if (latencies.get(i).getTotalCount() > 0) {
                svg.path(path(scale, latencies.get(i)), "curve " + colours.of(series.get(i)));
            }
        }
        return svg.end();
    }

    /** As far as ten samples lie beyond. */
    private static double nines(Histogram latencies) {
        return Math.max(0.5, Math.min(NINES, Math.log10(Math.max(1, latencies.getTotalCount()) / 10.0)));
    }

    private static String path(Scale scale, Histogram latencies) {
        StringBuilder path = new StringBuilder();
        double end = nines(latencies);
        for (int step = 0; step <= STEPS; step++) {
            double nines = end * step / STEPS;
            double millis = Numbers.millisAt(latencies, Math.max(0.1, 100 * (1 - Math.pow(10, -nines))));
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", step == 0 ? "M" : "L", x(nines), y(scale, millis)));
        }
        return path.toString();
    }

    private static double x(double nines) {
        return LEFT + (Svg.WIDTH - LEFT - RIGHT) * nines / NINES;
    }

    private static double y(Scale scale, double millis) {
        return TOP + HEIGHT * (1 - scale.at(millis));
    }
}
