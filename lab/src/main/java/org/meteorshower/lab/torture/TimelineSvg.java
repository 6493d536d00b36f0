/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws what happened: a panel each for throughput, latencies, local reads and failures, the faults as bands over all. */
final class TimelineSvg {
    private static final int WIDTH = 1_200;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 150;
    private static final int PANEL = 130;
    private static final int GAP = 34;
    private static final String[] COLOURS = {"#2f6fde", "#d9822b", "#2a9d5c", "#a04bc9", "#c23b4a", "#777777"};
    private static final double LEAST_MILLIS = 0.1;
    private static final double MOST_MILLIS = 10_000;

    private final Timeline timeline;
    private final List<FaultSpan> spans;
    private final String title;
    private final StringBuilder svg = new StringBuilder();

    private TimelineSvg(Timeline timeline, List<FaultSpan> spans, String title) {
        this.timeline = timeline;
        this.spans = spans;
        this.title = title;
    }

    static String of(Timeline timeline, List<FaultSpan> spans, String title) {
        return new TimelineSvg(timeline, spans, title).draw();
    }

    private String draw() {
        int panels = 5;
        int height = TOP + panels * (PANEL + GAP) + 20;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, height);
        add("<style>.bg{fill:#fff} text{fill:#222} .grid{stroke:#ddd} .band{fill:#c23b4a;opacity:.13}"
                + " @media (prefers-color-scheme: dark){.bg{fill:#16181d} text{fill:#ddd} .grid{stroke:#333}"
                + " .band{opacity:.28}}</style>");
        add("<rect class=\"bg\" width=\"%d\" height=\"%d\"/>", WIDTH, height);
        add("<text x=\"%d\" y=\"24\" font-size=\"16\" font-weight=\"bold\">%s</text>", LEFT, escaped(title));
        legend();
        bands(height);
        panel(0, "operations a second", linear(mostOperations()), cell -> cell.reads() + cell.writes(), null);
        panel(
                1,
                "reads, ms: median, and 99th percentile dashed",
                TimelineSvg::log,
                cell -> cell.readMillis().at(50),
                cell -> cell.readMillis().at(99));
        panel(
                2,
                "writes, ms: median, and 99th percentile dashed",
                TimelineSvg::log,
                cell -> cell.writeMillis().at(50),
                cell -> cell.writeMillis().at(99));
        panel(3, "share of reads served without a wait", linear(1), Timeline.Cell::localShare, null);
        panel(4, "failures a second", linear(mostFailures()), Timeline.Cell::failed, null);
        add("</svg>");
        return svg.toString();
    }

    private void legend() {
        for (int dc = 0; dc < timeline.dcs().size(); dc++) {
            int x = LEFT + dc * 110;
            add("<rect x=\"%d\" y=\"36\" width=\"14\" height=\"4\" fill=\"%s\"/>", x, colour(dc));
            add(
                    "<text x=\"%d\" y=\"43\">%s</text>",
                    x + 20, escaped(timeline.dcs().get(dc)));
        }
    }

    private void bands(int height) {
        for (FaultSpan span : spans) {
            double x = x(span.startNanos() / 1e9);
            double width = Math.max(1, x(span.endNanos() / 1e9) - x);
            add(
                    "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    x, TOP - 4, width, height - TOP - 16);
            if (spans.size() <= 60) {
                add(
                        "<text font-size=\"10\" transform=\"translate(%.1f %d) rotate(-60)\">%s</text>",
                        x + width / 2, TOP - 8, escaped(span.title()));
            }
        }
    }

    /** Where a value lies in a panel: 0 at the bottom, 1 at the top. */
    private interface Scale {
        double of(double value);
    }

    private static Scale linear(double most) {
        return value -> Math.min(1, value / most);
    }

    private static double log(double millis) {
        double clipped = Math.max(LEAST_MILLIS, Math.min(MOST_MILLIS, millis));
        return Math.log10(clipped / LEAST_MILLIS) / Math.log10(MOST_MILLIS / LEAST_MILLIS);
    }

    private void panel(
            int number,
            String name,
            Scale scale,
            ToDoubleFunction<Timeline.Cell> line,
            @org.jspecify.annotations.Nullable ToDoubleFunction<Timeline.Cell> dashed) {
        int bottom = TOP + number * (PANEL + GAP) + PANEL;
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", LEFT, bottom - PANEL - 4, name);
        ticks(scale, name, bottom);
        for (int dc = 0; dc < timeline.dcs().size(); dc++) {
            path(dc, scale, line, bottom, "");
            if (dashed != null) {
                path(dc, scale, dashed, bottom, " stroke-dasharray=\"3 3\" opacity=\".7\"");
            }
        }
    }

    private void ticks(Scale scale, String name, int bottom) {
        double[] values = name.contains("ms") ? new double[] {0.1, 1, 10, 100, 1_000, 10_000} : linearTicks(scale);
        for (double value : values) {
            double y = bottom - PANEL * scale.of(value);
            add("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
            add(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"10\">%s</text>",
                    LEFT - 6,
                    y + 3,
                    value == Math.rint(value)
                            ? String.format(Locale.ROOT, "%,d", (long) value)
                            : Double.toString(value));
        }
        int step = Math.max(1, timeline.seconds() / 12);
        for (int second = 0; second < timeline.seconds(); second += step) {
            add("<text x=\"%.1f\" y=\"%d\" font-size=\"10\">%d s</text>", x(second), bottom + 13, second);
        }
    }

    private static double[] linearTicks(Scale scale) {
        double most = 1;
        while (scale.of(most) < 1) {
            most = most * 2;
        }
        return most <= 1 ? new double[] {0, 0.5, 1} : new double[] {0, most / 2};
    }

    private void path(int dc, Scale scale, ToDoubleFunction<Timeline.Cell> value, int bottom, String style) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        List<Timeline.Cell> cells = timeline.of(dc);
        for (int second = 0; second < cells.size(); second++) {
            double v = value.applyAsDouble(cells.get(second));
            if (Double.isNaN(v)) {
                drawing = false;
                continue;
            }
            path.append(String.format(
                    Locale.ROOT, "%s%.1f %.1f", drawing ? "L" : "M", x(second + 0.5), bottom - PANEL * scale.of(v)));
            drawing = true;
        }
        if (path.length() > 0) {
            add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\"%s/>", path, colour(dc), style);
        }
    }

    private double x(double second) {
        return LEFT + (WIDTH - LEFT - RIGHT) * second / Math.max(1, timeline.seconds());
    }

    private double mostOperations() {
        return most(cell -> cell.reads() + cell.writes());
    }

    private double mostFailures() {
        return most(Timeline.Cell::failed);
    }

    private double most(ToDoubleFunction<Timeline.Cell> value) {
        double most = 1;
        for (int dc = 0; dc < timeline.dcs().size(); dc++) {
            most = Math.max(
                    most, timeline.of(dc).stream().mapToDouble(value).max().orElse(1));
        }
        return most;
    }

    private static String colour(int dc) {
        return COLOURS[dc % COLOURS.length];
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String format, Object... values) {
        svg.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
