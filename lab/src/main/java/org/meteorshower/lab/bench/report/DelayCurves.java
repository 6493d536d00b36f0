/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.meteorshower.lab.bench.run.Op;

/** Latency against the one-way delay, of one workload on networks whose data centres are equally far apart. */
final class DelayCurves {
    private static final int LEFT = 38;
    private static final int RIGHT = 14;
    private static final int TOP = 26;
    private static final int HEIGHT = 230;

    private DelayCurves() {}

    /** Empty where there are fewer than two such networks. */
    static String of(String title, List<Comparison> comparisons, Op op, double percentile, Colours colours) {
        List<Comparison> points = comparisons.stream()
                .filter(each -> each.network().isUniform())
                .sorted(Comparator.comparing(each -> each.network().meanDelayMillis()))
                .toList();
        if (points.size() < 2) {
            return "";
        }
        double most = points.get(points.size() - 1).network().meanDelayMillis();
        List<Double> values = new ArrayList<>();
        points.forEach(point -> point.series().forEach(each -> values.add(each.millisAt(op, percentile))));
        Scale scale = Scale.holding(values);
        Svg svg = new Svg(TOP + HEIGHT + 22, title);
        for (double tick : scale.ticks()) {
            svg.line(LEFT, y(scale, tick), Svg.WIDTH - RIGHT, y(scale, tick), "grid");
            svg.text(LEFT - 5, y(scale, tick) + 4, "end", "tick", Scale.label(tick));
        }
        svg.text(0, TOP + HEIGHT + 15, "start", "tick", "ms");
        Map<String, StringBuilder> paths = new LinkedHashMap<>();
        Map<String, String> styles = new LinkedHashMap<>();
        for (Comparison point : points) {
            double delay = point.network().meanDelayMillis();
            double x = LEFT + (Svg.WIDTH - LEFT - RIGHT) * (most == 0 ? 0 : delay / most);
            svg.line(x, TOP, x, TOP + HEIGHT, "grid");
            svg.text(x, TOP + HEIGHT + 15, "middle", "tick", Comparison.plain(delay));
            for (Series each : point.series()) {
                double millis = each.millisAt(op, percentile);
                if (!Double.isNaN(millis)) {
                    StringBuilder path = paths.computeIfAbsent(each.label(), label -> new StringBuilder());
                    path.append(String.format(
                            Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", x, y(scale, millis)));
                    styles.put(each.label(), colours.of(each));
                    svg.dot(x, y(scale, millis), 2.6, "dot " + colours.of(each));
                }
            }
        }
        paths.forEach((label, path) -> svg.path(path.toString(), "curve " + styles.get(label)));
        return svg.end();
    }

    private static double y(Scale scale, double millis) {
        return TOP + HEIGHT * (1 - scale.at(millis));
    }
}
