/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionVerdict;

/**
 * What came of a run. Immutable.
 *
 * @param wrong what is wrong besides the verdict: data centres that are stuck, or differ
 * @param counts of transactions by outcome
 * @param failures by kind, how many did not commit; some must, where a data centre is down
 */
record TransactionTortureResult(
        TransactionTortureOptions options,
        TransactionVerdict verdict,
        List<String> wrong,
        Map<TransactionOutcome.Status, Long> counts,
        long snapshots,
        List<FaultSpan> spans,
        List<Effect> effects,
        Map<String, Long> failures,
        long seconds) {
    TransactionTortureResult {
        wrong = List.copyOf(wrong);
        counts = Map.copyOf(counts);
    }

    boolean isRight() {
        return verdict.findings().isEmpty() && wrong.isEmpty();
    }

    Map<FaultKind, Integer> countByKind() {
        Map<FaultKind, Integer> byKind = new EnumMap<>(FaultKind.class);
        spans.forEach(span -> byKind.merge(span.fault().kind(), 1, Integer::sum));
        return byKind;
    }

    long count(TransactionOutcome.Status status) {
        return counts.getOrDefault(status, 0L);
    }

    /** The longest that anybody waited whom the fault should not have concerned, among faults that disable someone. */
    double longestElsewhereMillis() {
        return effects.stream()
                .filter(effect -> effect.span().fault().kind().isDisabling())
                .mapToDouble(Effect::longestMillis)
                .max()
                .orElse(0);
    }
}
