/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
     * @param killed a data centre, or a node
     * @param stallsMillis the longest time without a commit in each of the data centres that live
     */
    record Outage(String killed, RunResult run, Map<String, Double> stallsMillis) {
        Outage {
            stallsMillis = Collections.unmodifiableMap(new LinkedHashMap<>(stallsMillis));
        }

        double longestStallMillis() {
            return stallsMillis.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(Double.NaN);
        }
    }

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
