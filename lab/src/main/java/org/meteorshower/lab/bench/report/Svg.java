/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.Locale;
import org.meteorshower.lab.console.Markup;

/**
 * Lines, boxes and texts of one drawing. Colours are classes of the page: {@code s0}, {@code s1}, … of the series.
 * Drawings are narrow enough for a phone. For one thread.
 */
final class Svg {
    static final int WIDTH = 460;

    private final StringBuilder svg = new StringBuilder();

    Svg(int height, String title) {
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                height,
                Markup.escaped(title)));
        text(0, 14, "start", "title", title);
    }

    void line(double x1, double y1, double x2, double y2, String style) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>", x1, y1, x2, y2, style);
    }

    void box(double x, double y, double width, double height, String style) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>",
                x, y, Math.max(1, width), height, style);
    }

    void dot(double x, double y, double radius, String style) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>", x, y, radius, style);
    }

    /** @param anchor start, middle or end */
    void text(double x, double y, String anchor, String style, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>",
                x, y, anchor, style, Markup.escaped(text));
    }

    /** @param path as SVG has it */
    void path(String path, String style) {
        add("<path d=\"%s\" class=\"%s\"/>", path, style);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    String end() {
        return svg.append("</svg>").toString();
    }
}
