/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.transactions.RecordedTransaction;

/**
 * What came of a run's transactions, but for how long those took that committed.
 *
 * @param commits those that the measurement counts, likewise the others
 * @param retries that clients made of their own after conflicts, in all
 * @param reasons why those that did not commit did not, in short, and how often; the first few kinds
 * @param stallsMillis the longest time without a commit in each data centre; of a closed loop it says how long it stood
 *     still
 * @param history what the checker looked at; empty where it was too long to keep
 * @param tpcc by the kinds of TPC-C; null: they were other transactions
 */
public record TransactionFigures(
        long commits,
        long aborts,
        long unknown,
        long retries,
        Map<String, Long> reasons,
        Map<String, Double> stallsMillis,
        List<RecordedTransaction> history,
        @Nullable TpccFigures tpcc) {
    /** Of anything but TPC-C. */
    public TransactionFigures(
            long commits,
            long aborts,
            long unknown,
            long retries,
            Map<String, Long> reasons,
            Map<String, Double> stallsMillis,
            List<RecordedTransaction> history) {
        this(commits, aborts, unknown, retries, reasons, stallsMillis, history, null);
    }

    TransactionFigures with(TpccFigures figures) {
        return new TransactionFigures(commits, aborts, unknown, retries, reasons, stallsMillis, history, figures);
    }
}
