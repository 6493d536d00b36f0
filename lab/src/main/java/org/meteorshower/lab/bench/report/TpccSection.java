/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.run.TpccFigures;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.tpcc.Conditions;
import org.meteorshower.lab.tpcc.TpccType;

/** The page's tables of TPC-C: what went through, and how soon each kind was answered. */
final class TpccSection {
    private TpccSection() {}

    /** Nothing where a comparison is of something else. */
    static void write(Html html, Comparison comparison, int machineCores) {
        TpccSpec spec = comparison.workload().tpcc();
        if (spec == null) {
            return;
        }
        html.leaf("h3", "TPC-C: new orders a minute");
        throughput(html, comparison, machineCores);
        html.leaf("h3", "TPC-C: how soon each kind of transaction was answered");
        latencies(html, comparison);
        html.leaf(
                "p",
                TpccLines.NO_RESULT + " There were " + spec.text() + ". New orders that took effect are counted, and no"
                        + " rollbacks; latencies are of what committed or was rolled back as intended, tries after conflicts"
                        + " included. An abort is one that nobody wanted. After each run the consistency conditions "
                        + Conditions.NAMES + " were looked at, and whether all that was acknowledged is there, once.",
                "class",
                "soft");
    }

    private static void throughput(Html html, Comparison comparison, int machineCores) {
        html.open("div", "class", "scroll").open("table").open("thead");
        html.row(
                        "th",
                        List.of(
                                "system",
                                "new orders/min",
                                "by core of the machine",
                                "by core that nodes kept busy",
                                "intended rollbacks, of new orders",
                                "aborts, of all",
                                "unknown",
                                "skipped deliveries",
                                "conditions"))
                .close()
                .open("tbody")
                .line();
        for (Series series : comparison.series()) {
            TpccOutcomes outcomes = TpccOutcomes.of(series.runs());
            if (outcomes != null) {
                double perMinute = outcomes.newOrdersPerMinute();
                html.row(
                        "td",
                        List.of(
                                series.label(),
                                Numbers.whole(Math.round(perMinute)),
                                Numbers.of(perMinute / machineCores),
                                Numbers.of(outcomes.perNodeCore()),
                                percent(outcomes.rollbackShare()),
                                percent(outcomes.abortShare()),
                                Numbers.whole(outcomes.unknown()),
                                Numbers.whole(outcomes.skipped()),
                                series.verdict().isEmpty() ? "not looked at" : series.verdict()));
            }
        }
        html.close().close().close().line();
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.2f %%", share * 100);
    }

    private static void latencies(Html html, Comparison comparison) {
        html.open("div", "class", "scroll").open("table").open("thead");
        List<String> head = new ArrayList<>(List.of("ms: p50 / p99 / p99.9"));
        for (TpccType type : TpccType.values()) {
            head.add(type.word());
        }
        html.row("th", head).close().open("tbody").line();
        for (Series series : comparison.series()) {
            TpccOutcomes outcomes = TpccOutcomes.of(series.runs());
            if (outcomes != null) {
                List<String> cells = new ArrayList<>(List.of(series.label()));
                for (TpccType type : TpccType.values()) {
                    TpccFigures.OfType of = outcomes.of(type);
                    cells.add(Numbers.of(Numbers.millisAt(of.latencies(), 50)) + " / "
                            + Numbers.of(Numbers.millisAt(of.latencies(), 99)) + " / "
                            + Numbers.of(Numbers.millisAt(of.latencies(), 99.9)));
                }
                html.row("td", cells);
            }
        }
        html.close().close().close().line();
    }
}
