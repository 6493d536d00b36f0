/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;

/**
 * What came of a run.
 *
 * @param lost a line for each row whose acknowledged write is lost or cannot be read, and each session that could not read on
 * @param failures by kind, how many operations failed; some must, where a data centre is down
 */
record TortureResult(
        TortureOptions options,
        History history,
        Verdict verdict,
        long checkNanos,
        List<String> lost,
        List<FaultSpan> spans,
        List<Effect> effects,
        Map<String, Long> failures,
        long seconds) {

    boolean isRight() {
        return verdict.outcome() == Outcome.CONSISTENT && lost.isEmpty();
    }

    int violations() {
        return verdict.outcome() == Outcome.VIOLATION ? 1 : 0;
    }

    Map<FaultKind, Integer> countByKind() {
        Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
        spans.forEach(span -> counts.merge(span.fault().kind(), 1, Integer::sum));
        return counts;
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
