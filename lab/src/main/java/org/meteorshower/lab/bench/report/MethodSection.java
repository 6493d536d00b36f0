/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.MachineSample;
import org.meteorshower.lab.console.Numbers;

/** The page's end: the machine, what disturbed it, how it was measured, the plan. For one thread. */
final class MethodSection {
    private final BenchResult result;
    private final Html html;

    MethodSection(BenchResult result, Html html) {
        this.result = result;
        this.html = html;
    }

    void write() {
        machine();
        method();
    }

    private void machine() {
        html.leaf("h2", "The machine, and what disturbed it");
        html.leaf(
                "p",
                result.machine().text() + ". Nodes and clients share it; distances are emulated inside the nodes.");
        html.leaf(
                "p",
                String.format(
                        Locale.ROOT,
                        "%d of %d seconds were disturbed: more than %.0f %% of the processors stolen by other virtual"
                                + " machines, more than %.0f %% used by neither nodes nor client, more than %d ms of"
                                + " garbage collection in the client, or a sleeping thread that woke more than %.0f ms late."
                                + " Figures are of all seconds; ratios are given with and without these.",
                        result.disturbedWindows(),
                        result.windows(),
                        MachineSample.MOST_STOLEN * 100,
                        MachineSample.MOST_FOREIGN * 100,
                        MachineSample.MOST_GC_MILLIS,
                        MachineSample.MOST_HICCUP_MILLIS));
        html.open("ul", "class", "legend");
        for (String kind : List.of("nodes", "client", "foreign")) {
            html.open("li")
                    .leaf("span", "", "class", "key " + kind)
                    .text(kind.equals("foreign") ? "others and stolen; below the line: disturbed" : kind)
                    .close();
        }
        html.close().line();
        if (!result.runs().isEmpty()) {
            html.open("div", "class", "charts").line();
            Parts.figure(html, WindowStrip.of(result), result.command());
            html.close().line();
        }
        loadGenerator();
    }

    private void loadGenerator() {
        for (Calibration calibration : result.calibrations()) {
            html.leaf(
                    "p",
                    String.format(
                            Locale.ROOT,
                            "The load generator alone, against a client that does nothing, %s: p50 %s, p99 %s, p99.9 %s"
                                    + " ms; %s operations a second.",
                            calibration.workload().name(),
                            Numbers.of(Numbers.millisAt(calibration.latencies(), 50)),
                            Numbers.of(Numbers.millisAt(calibration.latencies(), 99)),
                            Numbers.of(Numbers.millisAt(calibration.latencies(), 99.9)),
                            Numbers.whole((long) calibration.throughput())));
        }
    }

    private void method() {
        html.leaf("h2", "How it was measured, and how to repeat it");
        html.open("p")
                .text("Repeat all of it with ")
                .leaf("code", result.command())
                .text(".")
                .close();
        html.leaf(
                "p",
                String.format(
                        Locale.ROOT,
                        "%d runs of %d s after %d s of warming up, in random order (seed %d); each on rows of its own."
                                + " Latencies count from the time an operation should have begun, so that a pause shows in"
                                + " every operation it held up. Ratios are geometric means over the repeats of the ratio"
                                + " within each; their intervals come of drawing repeats, then one-second windows within"
                                + " each run, again %d times. Raw histograms are in the folder histograms, all figures in"
                                + " results.json.",
                        result.runs().size(),
                        result.plan().seconds(),
                        result.plan().warmUpSeconds(),
                        result.seed(),
                        Bootstrap.DRAWS));
        html.leaf("h3", "The plan");
        html.leaf("pre", result.plan().text());
    }
}
