/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.console.Numbers;

/** The report as one page that needs nothing but itself: style and drawings inside, no script. */
final class Page {
    private static final int MOST_TABLES_AT_ONCE = 4;

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
        AxisSections sections = new AxisSections(result, comparisons, colours, html);
        sections.byNetwork();
        sections.against();
        TrafficSection.write(result, html);
        comparisons.forEach(this::comparison);
        new MethodSection(result, html).write();
        html.close().close();
        return html.toString();
    }

    private void answer() {
        html.leaf(
                "p",
                "MeteorShower bench · " + result.plan().name() + " · "
                        + result.started().truncatedTo(ChronoUnit.SECONDS),
                "class",
                "soft");
        html.leaf(
                "h1",
                result.plan().question().isEmpty()
                        ? "What was measured"
                        : result.plan().question());
        warnings();
        if (isAnsweredAtOnce()) {
            for (Comparison comparison : comparisons) {
                html.leaf("p", "Milliseconds; " + comparison.title() + ".", "class", "soft");
                Tables.figures(html, comparison);
            }
        }
    }

    private void warnings() {
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
    }

    /** Whether few tables say all, without what is varied in them. */
    private boolean isAnsweredAtOnce() {
        return comparisons.size() <= MOST_TABLES_AT_ONCE
                && comparisons.stream().map(Comparison::workload).distinct().count() == comparisons.size();
    }

    private void comparison(Comparison comparison) {
        html.leaf("h2", comparison.title());
        html.leaf("p", setting(comparison), "class", "soft");
        if (!isAnsweredAtOnce()) {
            Tables.figures(html, comparison);
        }
        Map<String, Series> shown = new LinkedHashMap<>();
        comparison.series().forEach(each -> shown.put(each.label(), each));
        Parts.legend(html, shown, colours);
        charts(comparison);
        List<Ratio> here = ratios.stream()
                .filter(ratio -> ratio.title().equals(comparison.title()))
                .toList();
        if (!here.isEmpty()) {
            html.leaf("h3", "Ratios, with 95 % intervals; quiet: of undisturbed seconds alone");
            Tables.ratios(html, here);
        }
        TransactionSection.write(html, comparison);
        TpccSection.write(html, comparison, result.machine().cores());
        Tables.traffic(html, comparison);
    }

    private static String setting(Comparison comparison) {
        WorkloadSpec workload = comparison.workload();
        NetworkSpec.Shape shape = comparison.network().shape();
        String each = ", " + shape.nodesPerDc() + " nodes and " + shape.replicasPerDc() + " replicas each";
        String load = workload.isOpenLoop()
                ? Numbers.plain(workload.ratePerDc())
                        + (workload.transactions() == null ? " operations" : " transactions")
                        + " a second begin in each data centre, answered or not"
                : workload.sessionsPerDc() + " sessions in each data centre, each as fast as it is answered";
        TpccSpec tpcc = workload.tpcc();
        if (tpcc != null) {
            return String.join(", ", shape.dcs()) + (shape.nodesPerDc() == 1 ? "" : each) + "; " + tpcc.text() + "; "
                    + load + ".";
        }
        return String.format(
                Locale.ROOT,
                "%s; %,d rows, %s; %.0f %% reads; %s.",
                String.join(", ", shape.dcs()) + (shape.nodesPerDc() == 1 ? "" : each),
                workload.rows(),
                workload.zipfian() ? "Zipfian" : "uniform",
                workload.readShare() * 100,
                load);
    }

    /** As in figures 4.22 and 4.23 of the thesis; where all are as far apart, they would be alike. */
    private void byDataCentre(Comparison comparison, String command) {
        if (comparison.network().isUniform() || comparison.workload().transactions() != null) {
            return;
        }
        for (Op op : Op.values()) {
            for (String dc : comparison.network().shape().dcs()) {
                Parts.figure(
                        html,
                        Boxplot.of(
                                comparison.plural(op) + " of " + dc + "'s clients: latency",
                                comparison.series(),
                                series -> series.latencies(op, dc),
                                colours),
                        command);
            }
        }
    }

    private void charts(Comparison comparison) {
        html.open("div", "class", "charts").line();
        String command = Repeat.of(result, List.of(comparison));
        for (Op op : Op.values()) {
            Parts.figure(
                    html,
                    Boxplot.of(
                            comparison.plural(op) + ": latency",
                            comparison.series(),
                            series -> series.latencies(op),
                            colours),
                    command);
        }
        byDataCentre(comparison, command);
        for (Op op : Op.values()) {
            Parts.figure(
                    html,
                    PercentileCurves.of(
                            comparison.plural(op) + ": latency by percentile",
                            comparison.series(),
                            series -> series.latencies(op),
                            colours),
                    command);
        }
        Parts.figure(
                html,
                PercentileCurves.of(
                        "reads: age of the answer by percentile", comparison.series(), Series::staleness, colours),
                command);
        html.close().line();
        html.leaf(
                "p",
                "Boxes: quarter, median, three quarters; whiskers p1 and p99; the dot is p99.9; the number is the median."
                        + " Curves end where fewer than ten operations lie beyond. Local reads were answered without a wait;"
                        + " age is how many milliseconds old what they returned may be.",
                "class",
                "soft");
    }
}
