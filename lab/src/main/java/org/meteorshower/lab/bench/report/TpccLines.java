/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.bench.run.TpccFigures;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.tpcc.Conditions;
import org.meteorshower.lab.tpcc.TpccType;

/** What came of TPC-C, as lines for a terminal. */
final class TpccLines {
    /** Whoever shows a figure says this with it. */
    static final String NO_RESULT =
            "This is no audited TPC-C result, and must not be compared with one: scaled down, without the standard's pacing"
                    + " unless thinking is on, on emulated distances.";

    private TpccLines() {}

    /** None where a comparison is of something else. */
    static List<String> of(Comparison comparison, int machineCores) {
        List<String> lines = new ArrayList<>();
        for (Series series : comparison.series()) {
            TpccOutcomes outcomes = TpccOutcomes.of(series.runs());
            if (outcomes != null) {
                lines.add("  " + series.label() + ": " + head(outcomes, machineCores));
                for (TpccType type : TpccType.values()) {
                    lines.add("    " + line(outcomes, type));
                }
            }
        }
        if (!lines.isEmpty()) {
            lines.add("  Consistency conditions " + Conditions.NAMES + " were looked at after each run. " + NO_RESULT);
        }
        return lines;
    }

    private static String head(TpccOutcomes outcomes, int machineCores) {
        return String.format(
                Locale.ROOT,
                "%s new orders a minute (%s for each of the machine's %d cores, %s for each that nodes kept busy);"
                        + " intended rollbacks %.1f %% of new orders, aborts %.2f %% of all, %d unknown, %d skipped deliveries",
                Numbers.whole(Math.round(outcomes.newOrdersPerMinute())),
                Numbers.of(outcomes.newOrdersPerMinute() / machineCores),
                machineCores,
                Numbers.of(outcomes.perNodeCore()),
                outcomes.rollbackShare() * 100,
                outcomes.abortShare() * 100,
                outcomes.unknown(),
                outcomes.skipped());
    }

    private static String line(TpccOutcomes outcomes, TpccType type) {
        TpccFigures.OfType of = outcomes.of(type);
        return String.format(
                Locale.ROOT,
                "%-13s %4.1f %%  p50 %8s  p99 %8s  p99.9 %8s ms;  %d committed, %d aborted, %d unknown",
                type.word(),
                outcomes.mixShare(type) * 100,
                Numbers.of(Numbers.millisAt(of.latencies(), 50)),
                Numbers.of(Numbers.millisAt(of.latencies(), 99)),
                Numbers.of(Numbers.millisAt(of.latencies(), 99.9)),
                of.commits(),
                of.aborts(),
                of.unknown());
    }
}
