/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.bench.run.MachineSample;

/**
 * What the machine did in each window of all runs, in their order: use by nodes, client and others, and disturbances.
 */
final class WindowStrip {
    private static final int TOP = 26;
    private static final int HEIGHT = 90;

    /** More bars than this are drawn together, the worst of them standing for all. */
    private static final int BARS = 230;

    private WindowStrip() {}

    static String of(BenchResult result) {
        List<MachineSample> samples = new ArrayList<>();
        result.runs().forEach(run -> run.windows().forEach(window -> samples.add(window.machine())));
        Svg svg = new Svg(TOP + HEIGHT + 30, "share of the processors in use, each second measured");
        int bars = Math.min(BARS, samples.size());
        for (int bar = 0; bar < bars; bar++) {
            MachineSample worst = worst(samples.subList(
                    (int) ((long) bar * samples.size() / bars), (int) ((long) (bar + 1) * samples.size() / bars)));
            double x = (double) bar * Svg.WIDTH / bars;
            double width = (double) Svg.WIDTH / bars - 0.3;
            double y = TOP + HEIGHT;
            y = part(svg, x, y, width, worst.nodesShare(), "nodes");
            y = part(svg, x, y, width, worst.clientShare(), "client");
            part(svg, x, y, width, worst.foreignShare() + worst.stolenShare(), "foreign");
            if (worst.isDisturbed()) {
                svg.box(x, TOP + HEIGHT + 3, width, 6, "foreign");
            }
        }
        svg.line(0, TOP, Svg.WIDTH, TOP, "grid");
        svg.text(Svg.WIDTH, TOP - 3, "end", "tick", "100 %");
        svg.text(0, TOP + HEIGHT + 24, "start", "tick", "first run");
        svg.text(Svg.WIDTH, TOP + HEIGHT + 24, "end", "tick", "last run");
        return svg.end();
    }

    private static MachineSample worst(List<MachineSample> samples) {
        MachineSample worst = samples.get(0);
        for (MachineSample sample : samples) {
            if (sample.disturbances().size() > worst.disturbances().size()) {
                worst = sample;
            }
        }
        return worst;
    }

    private static double part(Svg svg, double x, double bottom, double width, double share, String style) {
        double height = HEIGHT * (Double.isNaN(share) ? 0 : Math.max(0, Math.min(1, share)));
        double top = Math.max(TOP, bottom - height);
        if (bottom - top > 0.05) {
            svg.box(x, top, width, bottom - top, "part " + style);
        }
        return top;
    }
}
