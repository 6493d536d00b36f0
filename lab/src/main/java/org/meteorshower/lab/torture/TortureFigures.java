/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What is counted and timed in every run, whatever its clients do. Immutable.
 *
 * @param spans the faults that struck
 * @param effects what each of them did to those whom it should not concern
 * @param operations how many were timed
 * @param failures by kind, how many of them failed; some must, where a data centre is down
 * @param seconds how long the clients were at work
 */
record TortureFigures(
        List<FaultSpan> spans,
        List<Effect> effects,
        Timeline timeline,
        int operations,
        Map<String, Long> failures,
        long seconds) {

    static TortureFigures of(
            List<FaultSpan> spans, List<Sample> samples, List<String> dcs, Map<String, Long> failures, long seconds) {
        return new TortureFigures(
                spans, Effect.of(spans, samples, dcs), new Timeline(dcs, samples), samples.size(), failures, seconds);
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
