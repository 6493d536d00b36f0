/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.bench.run.Op;
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
            "local reads",
            "checker",
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
            html.leaf("td", checked(series));
            html.leaf("td", series.disturbedWindows() + " of " + series.windows() + " s");
            html.close().line();
        }
        html.close().close().close().line();
    }

    private static String checked(Series series) {
        return series.verdict().isEmpty()
                ? "–"
                : series.verdict()
                        + (series.checkedOperations() == 0
                                ? ""
                                : ", " + Numbers.whole(series.checkedOperations()) + " ops");
    }

    /** Systems by networks: median and 99th percentile of one workload. */
    static void byNetwork(Html html, List<Comparison> comparisons, Op op) {
        html.open("div", "class", "scroll").open("table").open("thead");
        List<String> head = new ArrayList<>(List.of(op.word() + "s, ms: p50 / p99"));
        comparisons.forEach(comparison -> head.add(comparison.network().name()));
        html.row("th", head).close().open("tbody").line();
        List<String> labels = comparisons.stream()
                .flatMap(comparison -> comparison.series().stream())
                .map(Series::label)
                .distinct()
                .toList();
        for (String label : labels) {
            List<String> cells = new ArrayList<>(List.of(label));
            for (Comparison comparison : comparisons) {
                cells.add(comparison.series().stream()
                        .filter(series -> series.label().equals(label))
                        .findFirst()
                        .map(series ->
                                Numbers.of(series.millisAt(op, 50)) + " / " + Numbers.of(series.millisAt(op, 99)))
                        .orElse("–"));
            }
            html.row("td", cells);
        }
        html.close().close().close().line();
    }

    /** Ratios with their intervals. */
    static void ratios(Html html, List<Ratio> ratios) {
        html.open("div", "class", "scroll").open("table").open("thead");
        html.row("th", List.of("ratio", "of", "all windows (95 %)", "undisturbed windows (95 %)", "repeats"))
                .close()
                .open("tbody")
                .line();
        for (Ratio ratio : ratios) {
            html.row(
                    "td",
                    List.of(
                            ratio.of() + " : " + ratio.to(),
                            ratio.op().word() + " " + ratio.quantity().word(),
                            ConsoleTable.text(ratio.value()),
                            ConsoleTable.text(ratio.undisturbed()),
                            Integer.toString(ratio.repeats())));
        }
        html.close().close().close().line();
    }
}
