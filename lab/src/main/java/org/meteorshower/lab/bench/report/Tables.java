/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.Traffic;
import org.meteorshower.lab.console.Numbers;

/** The report's tables. */
final class Tables {
    private static final List<String> FIGURES = List.of(
            "system",
            "read p50",
            "p99",
            "p99.9",
            "write p50",
            "p99",
            "p99.9",
            "ops/s",
            "local",
            "age p50",
            "checker",
            "failed",
            "disturbed");

    private Tables() {}

    /** All figures of one comparison. */
    static void figures(Html html, Comparison comparison) {
        html.open("div", "class", "scroll").open("table").open("thead");
        html.row("th", FIGURES).close().open("tbody").line();
        for (Series series : comparison.series()) {
            html.open("tr");
            html.leaf("td", series.label(), "class", series.system().isServed() ? "ours" : "");
            for (Op op : Op.values()) {
                for (double percentile : new double[] {50, 99, 99.9}) {
                    html.leaf("td", Numbers.of(series.millisAt(op, percentile)));
                }
            }
            html.leaf("td", Numbers.of(series.throughput()));
            html.leaf("td", Numbers.share(series.localShare()));
            html.leaf("td", Numbers.of(Numbers.millisAt(series.staleness(), 50)));
            html.leaf("td", checked(series));
            html.leaf("td", failed(series));
            html.leaf("td", series.disturbedWindows() + "/" + series.windows() + " s");
            html.close().line();
        }
        html.close().close().close().line();
    }

    private static String failed(Series series) {
        return Numbers.whole(series.failures())
                + (series.overflow() == 0 ? "" : " + " + Numbers.whole(series.overflow()) + " given up")
                + (series.isUnanswered() ? " + some unanswered" : "");
    }

    private static String checked(Series series) {
        return series.verdict().isEmpty()
                ? "-"
                : series.verdict()
                        + (series.checkedOperations() == 0
                                ? ""
                                : " (" + Numbers.whole(series.checkedOperations()) + ")");
    }

    /** Systems by points: median and 99th percentile; nothing where no operation was of this kind. */
    static void byPoint(Html html, List<Comparison> points, Function<Comparison, String> name, Op op) {
        boolean isNothing = points.stream()
                .flatMap(point -> point.series().stream())
                .allMatch(series -> Double.isNaN(series.millisAt(op, 50)));
        if (isNothing) {
            return;
        }
        html.open("div", "class", "scroll").open("table").open("thead");
        List<String> head = new ArrayList<>(List.of(op.word() + "s, ms: p50 / p99"));
        points.forEach(point -> head.add(name.apply(point)));
        html.row("th", head).close().open("tbody").line();
        Lines.of(points).forEach((line, at) -> {
            List<String> cells = new ArrayList<>(List.of(line));
            for (Comparison point : points) {
                Series series = at.get(point.title());
                cells.add(
                        series == null
                                ? "-"
                                : Numbers.of(series.millisAt(op, 50)) + " / " + Numbers.of(series.millisAt(op, 99)));
            }
            html.row("td", cells);
        });
        html.close().close().close().line();
    }

    /** What status messages took in one comparison; nothing where no node told. */
    static void traffic(Html html, Comparison comparison) {
        if (comparison.series().stream().allMatch(series -> Double.isNaN(series.traffic(Traffic::byteRate)))) {
            return;
        }
        html.leaf("h3", "Status messages, and processors; by node");
        html.open("div", "class", "scroll").open("table").open("thead");
        html.row(
                        "th",
                        List.of(
                                "system",
                                "peers",
                                "messages/s",
                                "bytes/s",
                                "bytes/write/peer",
                                "own threads, CPU",
                                "node, CPU"))
                .close()
                .open("tbody")
                .line();
        for (Series series : comparison.series()) {
            html.row(
                    "td",
                    List.of(
                            series.label(),
                            Numbers.of(series.traffic(Traffic::peers)),
                            Numbers.of(series.traffic(Traffic::messageRate)),
                            Numbers.of(series.traffic(Traffic::byteRate)),
                            Numbers.of(series.bytesPerWriteAndPeer()),
                            percent(series.traffic(Traffic::threadShare)),
                            percent(series.nodeProcessorShare())));
        }
        html.close().close().close().line();
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    /** Ratios with their intervals: a row for each pair and kind, a column for each quantity. */
    static void ratios(Html html, List<Ratio> ratios) {
        List<Quantity> quantities =
                ratios.stream().map(Ratio::quantity).distinct().sorted().toList();
        html.open("div", "class", "scroll").open("table").open("thead");
        List<String> head = new ArrayList<>(List.of("", ""));
        quantities.forEach(quantity -> head.add(quantity.word()));
        html.row("th", head).close().open("tbody").line();
        Map<List<Object>, List<Ratio>> rows = new LinkedHashMap<>();
        ratios.forEach(
                ratio -> rows.computeIfAbsent(List.of(ratio.of(), ratio.to(), ratio.op()), key -> new ArrayList<>())
                        .add(ratio));
        rows.values().forEach(row -> {
            Ratio first = row.get(0);
            html.open("tr")
                    .leaf("td", first.of() + " : " + first.to())
                    .leaf("td", first.op().word() + "s");
            row.forEach(ratio -> ratio(html, ratio));
            html.close().line();
        });
        html.close().close().close().line();
    }

    /** Its interval below it, and below that without the disturbed windows, where there are such and others. */
    private static void ratio(Html html, Ratio ratio) {
        html.open("td").leaf("b", ConsoleTable.ratio(ratio.value().value()));
        if (!Double.isNaN(ratio.value().low())) {
            html.leaf("span", ConsoleTable.range(ratio.value()), "class", "soft");
        }
        boolean differs = !ratio.undisturbed().equals(ratio.value());
        if (differs && !Double.isNaN(ratio.undisturbed().low())) {
            html.leaf(
                    "span",
                    "quiet: " + ConsoleTable.ratio(ratio.undisturbed().value()) + ", "
                            + ConsoleTable.range(ratio.undisturbed()),
                    "class",
                    "soft");
        }
        html.close();
    }
}
