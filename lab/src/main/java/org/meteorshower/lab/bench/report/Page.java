/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.MachineSample;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.console.Numbers;

/** The report as one page that needs nothing but itself: style and drawings inside, no script. */
final class Page {
    private final BenchResult result;
    private final List<Ratio> ratios;
    private final List<Comparison> comparisons;
    private final Colours colours;
    private final Html html = new Html();

    private Page(BenchResult result, List<Ratio> ratios) {
        this.result = result;
        this.ratios = ratios;
        comparisons = result.comparisons();
        colours = new Colours(comparisons);
    }

    static String of(BenchResult result, List<Ratio> ratios) {
        return new Page(result, ratios).text();
    }

    private String text() {
        html.raw("<!DOCTYPE html>")
                .open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml")
                .open("head");
        html.empty("meta", "charset", "utf-8");
        html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.empty("meta", "name", "color-scheme", "content", "light dark");
        html.leaf("title", "MeteorShower bench: " + result.plan().name());
        html.open("style").raw(PageStyle.text()).close().close().open("body").line();
        answer();
        byNetwork();
        comparisons.forEach(this::comparison);
        machine();
        method();
        html.close().close();
        return html.toString();
    }

    private void answer() {
        html.leaf(
                "p",
                "MeteorShower bench · " + result.plan().name() + " · "
                        + result.started().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                "class",
                "soft");
        html.leaf(
                "h1",
                result.plan().question().isEmpty()
                        ? "What was measured"
                        : result.plan().question());
        String stopped = result.stopped();
        if (stopped != null) {
            html.leaf("p", "The plan was not done to its end: " + stopped, "class", "warn");
        }
        if (result.violations() > 0) {
            html.leaf("p", result.violations() + " runs violate what is promised.", "class", "warn");
        }
        if (comparisons.stream()
                .flatMap(comparison -> comparison.series().stream())
                .anyMatch(series -> series.failures() + series.overflow() > 0 || series.isUnanswered())) {
            html.leaf(
                    "p",
                    "Operations failed, were given up because too many waited, or were never answered: see the tables."
                            + " Latencies are of the others alone.",
                    "class",
                    "warn");
        }
        if (result.disturbedWindows() * 5 > result.windows()) {
            html.leaf(
                    "p",
                    String.format(
                            Locale.ROOT,
                            "The machine was disturbed in %d of %d seconds: trust the ratios more than the figures, and"
                                    + " neither much.",
                            result.disturbedWindows(),
                            result.windows()),
                    "class",
                    "warn");
        }
        if (isAnsweredAtOnce()) {
            for (Comparison comparison : comparisons) {
                html.leaf("p", "Milliseconds; " + comparison.title() + ".", "class", "soft");
                Tables.figures(html, comparison);
            }
        }
    }

    /** Whether no workload ran at several distances: then a table for each says all. */
    private boolean isAnsweredAtOnce() {
        return comparisons.stream().map(Comparison::workload).distinct().count() == comparisons.size();
    }

    /** Where a workload ran on several networks: the answer by network. */
    private void byNetwork() {
        Map<WorkloadSpec, List<Comparison>> byWorkload = new LinkedHashMap<>();
        comparisons.forEach(comparison -> byWorkload
                .computeIfAbsent(comparison.workload(), workload -> new java.util.ArrayList<>())
                .add(comparison));
        byWorkload.forEach((workload, all) -> {
            if (all.size() > 1) {
                html.leaf("h2", workload.name() + ", by network");
                for (Op op : Op.values()) {
                    Tables.byNetwork(html, all, op);
                }
                legend(all);
                html.open("div", "class", "charts").line();
                for (double percentile : new double[] {50, 99}) {
                    for (Op op : Op.values()) {
                        figure(DelayCurves.of(
                                op.word() + " p" + Comparison.plain(percentile) + " against the one-way delay, ms",
                                all,
                                op,
                                percentile,
                                colours));
                    }
                }
                html.close().line();
            }
        });
    }

    private void comparison(Comparison comparison) {
        html.leaf("h2", comparison.title());
        WorkloadSpec workload = comparison.workload();
        html.leaf(
                "p",
                String.format(
                        Locale.ROOT,
                        "%s; %,d rows, %s; %.0f %% reads; %s.",
                        String.join(", ", comparison.network().shape().dcs())
                                + (comparison.network().shape().nodesPerDc() == 1
                                        ? ""
                                        : ", " + comparison.network().shape().nodesPerDc() + " nodes each"),
                        workload.rows(),
                        workload.zipfian() ? "Zipfian" : "uniform",
                        workload.readShare() * 100,
                        workload.isOpenLoop()
                                ? Comparison.plain(workload.ratePerDc())
                                        + " operations a second begin in each data centre, answered or not"
                                : workload.sessionsPerDc()
                                        + " sessions in each data centre, each as fast as it is answered"),
                "class",
                "soft");
        if (!isAnsweredAtOnce()) {
            Tables.figures(html, comparison);
        }
        legend(List.of(comparison));
        html.open("div", "class", "charts").line();
        for (Op op : Op.values()) {
            figure(Boxplot.of(op.word() + "s: latency", comparison.series(), op, colours));
        }
        for (Op op : Op.values()) {
            figure(PercentileCurves.of(op.word() + "s: latency by percentile", comparison.series(), op, colours));
        }
        html.close().line();
        html.leaf(
                "p",
                "Boxes: quarter, median, three quarters; whiskers p1 and p99; the dot is p99.9; the number is the median."
                        + " Curves end where fewer than ten operations lie beyond. Local reads were answered without a wait;"
                        + " age is how many milliseconds old what they returned may be.",
                "class",
                "soft");
        List<Ratio> here = ratios.stream()
                .filter(ratio -> ratio.title().equals(comparison.title()))
                .toList();
        if (!here.isEmpty()) {
            html.leaf("h3", "Ratios, with 95 % intervals; quiet: of undisturbed seconds alone");
            Tables.ratios(html, here);
        }
    }

    private void legend(List<Comparison> which) {
        Map<String, Series> labels = new LinkedHashMap<>();
        which.forEach(comparison -> comparison.series().forEach(each -> labels.putIfAbsent(each.label(), each)));
        html.open("ul", "class", "legend");
        labels.forEach((label, series) -> html.open("li")
                .leaf("span", "", "class", "key " + colours.of(series))
                .text(label + " ")
                .leaf("span", series.system().description(), "class", "soft")
                .close());
        html.close().line();
    }

    private void figure(String svg) {
        if (!svg.isEmpty()) {
            html.open("figure").raw(svg).close().line();
        }
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
            figure(WindowStrip.of(result));
            html.close().line();
        }
        for (Calibration calibration : result.calibrations()) {
            html.leaf(
                    "p",
                    String.format(
                            Locale.ROOT,
                            "The load generator alone, against a client that does nothing, %s: p50 %s, p99 %s, p99.9 %s"
                                    + " ms; %s operations a second.",
                            calibration.workload().name(),
                            Numbers.of(Series.millisAt(calibration.latencies(), 50)),
                            Numbers.of(Series.millisAt(calibration.latencies(), 99)),
                            Numbers.of(Series.millisAt(calibration.latencies(), 99.9)),
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
