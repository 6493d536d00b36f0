/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A figure against what the plan varies: a line for each system. */
final class Curves {
    private static final int LEFT = 38;
    private static final int RIGHT = 18;
    private static final int TOP = 26;
    private static final int HEIGHT = 230;

    private final Figure figure;
    private final Axis axis;
    private final List<Comparison> points;
    private final Grid grid;
    private final Svg svg;

    private Curves(Figure figure, Axis axis, List<Comparison> points) {
        this.figure = figure;
        this.axis = axis;
        this.points = points;
        List<Double> values = new ArrayList<>();
        points.forEach(point ->
                point.series().forEach(each -> values.add(figure.value().applyAsDouble(each))));
        grid = figure.grid().apply(values);
        svg = new Svg(TOP + HEIGHT + 22, figure.name() + " against " + axis.text() + ", " + figure.unit());
    }

    /**
     * Empty where nothing of it is known.
     *
     * @param points at least two, as {@link Axis#groups} gives them
     */
    static String of(Figure figure, Axis axis, List<Comparison> points, Colours colours) {
        return figure.isKnown(points) ? new Curves(figure, axis, points).drawn(colours) : "";
    }

    private String drawn(Colours colours) {
        for (double tick : grid.ticks()) {
            svg.line(LEFT, y(tick), Svg.WIDTH - RIGHT, y(tick), "grid");
            svg.text(LEFT - 5, y(tick) + 4, "end", "tick", grid.label(tick));
        }
        svg.text(0, TOP + HEIGHT + 15, "start", "tick", axis.unit());
        double lastLabel = Double.NEGATIVE_INFINITY;
        for (Comparison point : points) {
            svg.line(x(point), TOP, x(point), TOP + HEIGHT, "grid");
            // Labels that would lie upon each other say nothing.
            if (x(point) - lastLabel > 24) {
                lastLabel = x(point);
                svg.text(x(point), TOP + HEIGHT + 15, "middle", "tick", Scale.text(axis.of(point)));
            }
        }
        Lines.of(points).values().forEach(line -> curve(line, colours));
        return svg.end();
    }

    private void curve(Map<String, Series> line, Colours colours) {
        StringBuilder path = new StringBuilder();
        String colour = colours.of(line.values().iterator().next());
        for (Comparison point : points) {
            Series series = line.get(point.title());
            double value = series == null ? Double.NaN : figure.value().applyAsDouble(series);
            if (Double.isFinite(value)) {
                path.append(
                        String.format(Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", x(point), y(value)));
                svg.dot(x(point), y(value), 2.6, "dot " + colour);
            }
        }
        if (path.length() > 0) {
            svg.path(path.toString(), "curve " + colour);
        }
    }

    private double y(double value) {
        return TOP + HEIGHT * (1 - grid.at(value));
    }

    private double x(Comparison point) {
        double first = axis.isLogarithmic() ? Math.log(axis.of(points.get(0))) : 0;
        double last = place(points.get(points.size() - 1));
        return LEFT + (Svg.WIDTH - LEFT - RIGHT) * (last <= first ? 0 : (place(point) - first) / (last - first));
    }

    private double place(Comparison point) {
        return axis.isLogarithmic() ? Math.log(axis.of(point)) : axis.of(point);
    }
}
