/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.console.Numbers;

/** The page's table of transactions: by data centre, and what came of them. */
final class TransactionSection {
    private TransactionSection() {}

    /** Nothing where a comparison has no transactions. */
    static void write(Html html, Comparison comparison) {
        if (comparison.workload().transactions() == null) {
            return;
        }
        List<String> dcs = comparison.network().shape().dcs();
        html.leaf("h3", "Transactions by data centre, and how they ended");
        html.open("div", "class", "scroll").open("table").open("thead");
        List<String> head = new ArrayList<>(List.of("system"));
        dcs.forEach(dc -> head.add(dc + ": p50 / p99, ms"));
        head.addAll(List.of("commits/s", "committed", "aborted", "unknown", "retries"));
        html.row("th", head).close().open("tbody").line();
        for (Series series : comparison.series()) {
            TransactionOutcomes outcomes = TransactionOutcomes.of(series.runs());
            List<String> cells = new ArrayList<>(List.of(series.label()));
            dcs.forEach(dc -> cells.add(Numbers.medianAndTail(outcomes.byDc().get(dc))));
            cells.add(Numbers.of(outcomes.throughput()));
            cells.add(Numbers.whole(outcomes.commits()));
            cells.add(Numbers.whole(outcomes.aborts()));
            cells.add(Numbers.whole(outcomes.unknown()));
            cells.add(Numbers.whole(outcomes.retries()));
            html.row("td", cells);
        }
        html.close().close().close().line();
        if (comparison.workload().tpcc() != null) {
            return; // What it says of other transactions is not true of these.
        }
        html.leaf(
                "p",
                "Latencies are of transactions that write and committed, tries after conflicts included. Aborted had no effect;"
                        + " unknown may have had. Conditional batches (lwt) move amounts within ten rows of one partition, the"
                        + " others between any rows.",
                "class",
                "soft");
    }
}
