/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import java.util.Map;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionVerdict;

/**
 * What came of a run. Immutable.
 *
 * @param wrong what is wrong besides the verdict: data centres that are stuck, or differ
 * @param counts of transactions by outcome
 */
record TransactionTortureResult(
        TransactionTortureOptions options,
        TransactionVerdict verdict,
        List<String> wrong,
        Map<TransactionOutcome.Status, Long> counts,
        long snapshots,
        TortureFigures figures)
        implements TortureResult {
    TransactionTortureResult {
        wrong = List.copyOf(wrong);
        counts = Map.copyOf(counts);
    }

    @Override
    public boolean isRight() {
        return verdict.findings().isEmpty() && wrong.isEmpty();
    }

    long count(TransactionOutcome.Status status) {
        return counts.getOrDefault(status, 0L);
    }
}
