/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.console.Markup;

/** Draws panels over one axis of time, what happened as bands over all. For one thread. */
public final class PanelSvg {
    private static final int WIDTH = 1_200;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 150;
    private static final int PANEL = 130;
    private static final int GAP = 34;
    private static final int MOST_TITLES = 60;
    private static final String[] COLOURS = {"#2f6fde", "#d9822b", "#2a9d5c", "#a04bc9", "#c23b4a", "#777777"};
    private static final double LEAST_MILLIS = 0.1;
    private static final double MOST_MILLIS = 10_000;

    private final int seconds;
    private final StringBuilder svg = new StringBuilder();
    private int panels;

    /** What lies over all panels from one second to another. */
    public record Band(double fromSeconds, double toSeconds, String title) {}

    /**
     * A value for each second, NaN where there is none.
     *
     * @param colour its number in the legend
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Line(int colour, boolean dashed, double[] values) {}

    /** Where a value lies in a panel: 0 at the bottom, 1 at the top. */
    private interface Scale {
        double of(double value);
    }

    /**
     * A picture without panels yet.
     *
     * @param legend a name for each colour
     * @param panels how many will be drawn
     */
    public PanelSvg(int seconds, String title, List<String> legend, List<Band> bands, int panels) {
        this.seconds = Math.max(1, seconds);
        int height = TOP + panels * (PANEL + GAP) + 20;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH, height);
        add("<style>.bg{fill:#fff} text{fill:#222} .grid{stroke:#ddd} .band{fill:#c23b4a;opacity:.13}"
                + " @media (prefers-color-scheme: dark){.bg{fill:#16181d} text{fill:#ddd} .grid{stroke:#333}"
                + " .band{opacity:.28}}</style>");
        add("<rect class=\"bg\" width=\"%d\" height=\"%d\"/>", WIDTH, height);
        add("<text x=\"%d\" y=\"24\" font-size=\"16\" font-weight=\"bold\">%s</text>", LEFT, Markup.escaped(title));
        legend(legend);
        bands(bands, height);
    }

    private void legend(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            int x = LEFT + i * 110;
            add("<rect x=\"%d\" y=\"36\" width=\"14\" height=\"4\" fill=\"%s\"/>", x, colour(i));
            add("<text x=\"%d\" y=\"43\">%s</text>", x + 20, Markup.escaped(names.get(i)));
        }
    }

    private void bands(List<Band> bands, int height) {
        for (Band band : bands) {
            double x = x(band.fromSeconds());
            double width = Math.max(1, x(band.toSeconds()) - x);
            add(
                    "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    x, TOP - 4, width, height - TOP - 16);
            if (bands.size() <= MOST_TITLES) {
                add(
                        "<text font-size=\"10\" transform=\"translate(%.1f %d) rotate(-60)\">%s</text>",
                        x + width / 2, TOP - 8, Markup.escaped(band.title()));
            }
        }
    }

    /** A panel whose scale begins at 0 and ends at the largest value, or at this one. */
    public void linear(String name, double least, List<Line> lines) {
        double most = lines.stream()
                .flatMapToDouble(line -> Arrays.stream(line.values()))
                .filter(value -> !Double.isNaN(value))
                .reduce(least, Math::max);
        panel(name, value -> Math.min(1, value / most), false, lines);
    }

    /** A panel of milliseconds, from a tenth to ten thousand. */
    public void millis(String name, List<Line> lines) {
        panel(name, PanelSvg::log, true, lines);
    }

    private static double log(double millis) {
        double clipped = Math.max(LEAST_MILLIS, Math.min(MOST_MILLIS, millis));
        return Math.log10(clipped / LEAST_MILLIS) / Math.log10(MOST_MILLIS / LEAST_MILLIS);
    }

    private void panel(String name, Scale scale, boolean millis, List<Line> lines) {
        int bottom = TOP + panels++ * (PANEL + GAP) + PANEL;
        add("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", LEFT, bottom - PANEL - 4, Markup.escaped(name));
        ticks(scale, millis, bottom);
        lines.forEach(line -> path(line, scale, bottom));
    }

    private void ticks(Scale scale, boolean millis, int bottom) {
        double[] values = millis ? new double[] {0.1, 1, 10, 100, 1_000, 10_000} : linearTicks(scale);
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
        int step = Math.max(1, seconds / 12);
        for (int second = 0; second < seconds; second += step) {
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

    private void path(Line line, Scale scale, int bottom) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (int second = 0; second < line.values().length; second++) {
            double value = line.values()[second];
            if (Double.isNaN(value)) {
                drawing = false;
                continue;
            }
            path.append(String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    drawing ? "L" : "M",
                    x(second + 0.5),
                    bottom - PANEL * scale.of(value)));
            drawing = true;
        }
        if (path.length() > 0) {
            add(
                    "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\"%s/>",
                    path, colour(line.colour()), line.dashed() ? " stroke-dasharray=\"3 3\" opacity=\".7\"" : "");
        }
    }

    private double x(double second) {
        return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
    }

    private static String colour(int number) {
        return COLOURS[number % COLOURS.length];
    }

    private void add(String format, Object... values) {
        svg.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }

    /** The whole picture. To be called once. */
    public String end() {
        add("</svg>");
        return svg.toString();
    }
}
