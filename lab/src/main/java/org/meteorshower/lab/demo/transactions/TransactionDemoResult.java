/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.report.TransactionOutcomes;
import org.meteorshower.lab.bench.run.RunResult;

/**
 * What came of the demo. Immutable.
 *
 * @param outage transfers while a data centre was killed; null where none was
 */
record TransactionDemoResult(
        TransactionDemoOptions options,
        RunResult transfer,
        RunResult hotRow,
        @Nullable Outage outage) {
    /**
     * Transfers with a death among them.
     *
     * @param stallMillis the longest time without a commit in any of the data centres that live
     */
    record Outage(String dc, RunResult run, double stallMillis) {}

    List<RunResult> runs() {
        Outage there = outage;
        return there == null ? List.of(transfer, hotRow) : List.of(transfer, hotRow, there.run());
    }

    TransactionOutcomes outcomes() {
        return TransactionOutcomes.of(runs());
    }

    long violations() {
        return runs().stream().filter(RunResult::isViolation).count();
    }
}
