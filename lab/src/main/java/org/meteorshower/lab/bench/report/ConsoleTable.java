/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.console.Numbers;

/** What came of a plan, as lines for a terminal. */
public final class ConsoleTable {
    private ConsoleTable() {}

    public static List<String> lines(BenchResult result, List<Ratio> ratios) {
        List<String> lines = new ArrayList<>();
        int width = result.comparisons().stream()
                .flatMap(comparison -> comparison.series().stream())
                .mapToInt(series -> series.label().length())
                .max()
                .orElse(10);
        for (Comparison comparison : result.comparisons()) {
            lines.add("");
            lines.add(String.format(
                    Locale.ROOT,
                    "%-" + width + "s  %26s   %26s   %9s  %s",
                    comparison.title(),
                    "reads, ms: p50 p99 p99.9",
                    "writes, ms: p50 p99 p99.9",
                    "ops/s",
                    "local"));
            comparison.series().forEach(series -> lines.add(line(series, width)));
            if (comparison.workload().transactions() != null) {
                comparison.series().forEach(series -> lines.addAll(transactions(series)));
                lines.addAll(TpccLines.of(comparison, result.machine().cores()));
            }
            ratios.stream()
                    .filter(ratio -> ratio.title().equals(comparison.title()))
                    .forEach(ratio -> lines.add("  " + text(ratio)));
        }
        return lines;
    }

    private static String line(Series series, int width) {
        String troubles = (series.failures() > 0 ? "  " + series.failures() + " failed" : "")
                + (series.overflow() > 0 ? "  " + series.overflow() + " given up" : "")
                + (series.verdict().isEmpty()
                        ? ""
                        : "  " + series.verdict() + " (" + Numbers.whole(series.checkedOperations()) + " checked)");
        return String.format(
                Locale.ROOT,
                "%-" + width + "s  %8s %8s %8s   %8s %8s %8s   %9s  %5s%s",
                series.label(),
                at(series, Op.READ, 50),
                at(series, Op.READ, 99),
                at(series, Op.READ, 99.9),
                at(series, Op.WRITE, 50),
                at(series, Op.WRITE, 99),
                at(series, Op.WRITE, 99.9),
                Numbers.of(series.throughput()),
                Numbers.share(series.localShare()),
                troubles);
    }

    /** By data centre, and how they ended. */
    private static List<String> transactions(Series series) {
        TransactionOutcomes outcomes = TransactionOutcomes.of(series.runs());
        StringBuilder byDc = new StringBuilder();
        outcomes.byDc()
                .forEach((dc, micros) -> byDc.append(String.format(
                        Locale.ROOT,
                        "  %s %s/%s",
                        dc,
                        Numbers.of(Numbers.millisAt(micros, 50)),
                        Numbers.of(Numbers.millisAt(micros, 99)))));
        return List.of(
                "  " + series.label() + ", p50/p99 by data centre:" + byDc,
                "  " + series.label() + ": " + outcomes.words());
    }

    private static String at(Series series, Op op, double percentile) {
        return Numbers.of(series.millisAt(op, percentile));
    }

    /** One ratio in one line. */
    static String text(Ratio ratio) {
        return ratio.op().word() + " " + ratio.quantity().word() + ", " + ratio.of() + " : " + ratio.to() + " = "
                + text(ratio.value());
    }

    /** A ratio with its interval. */
    static String text(Ratio.Interval interval) {
        String value = ratio(interval.value());
        return Double.isNaN(interval.low()) ? value : value + " (" + range(interval) + ")";
    }

    static String range(Ratio.Interval interval) {
        return ratio(interval.low()) + " to " + ratio(interval.high());
    }

    /** Three digits or so; a dash for NaN. */
    static String ratio(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
    }
}
