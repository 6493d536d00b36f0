/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.List;
import java.util.Map;
import org.meteorshower.lab.torture.Distribution;

/**
 * What came of a phase. Immutable by agreement.
 *
 * @param fromNanos when its load began, since the run began
 * @param untilNanos when its load ended
 * @param settledSeconds until all was as before; beyond its limit, not at all
 * @param obstacle why it was not as before at the limit; empty where it was
 * @param lost rows that were acknowledged and are not there, summed over data centres
 * @param mix latencies of the hot mix, by time; empty where there was none
 * @param waits of the sequential load, by time and kind of request
 * @param collected share of the heap that old objects had after a full collection that the run asked for, by time and
 *     node
 * @param notes figures of this phase alone
 * @param bands what was done, and when
 */
record PhaseResult(
        PhaseKind kind,
        long fromNanos,
        long untilNanos,
        double settledSeconds,
        String obstacle,
        long lost,
        List<String> violations,
        List<NodeWatch.Death> deaths,
        Tally bulk,
        Tally sequential,
        Map<String, Distribution> mix,
        Map<String, Long> mixFailures,
        Map<String, Distribution> waits,
        Map<String, Map<String, Double>> collected,
        Lanes lanes,
        Budgets budgets,
        List<NodeSample> samples,
        Map<String, Double> notes,
        List<Band> bands) {

    /** Something that was done, and when, since the run began. */
    record Band(String title, double fromSecond, double toSecond) {}

    double seconds() {
        return (untilNanos - fromNanos) / 1e9;
    }

    /** Whether nothing is to be said against it. */
    boolean isRight() {
        return obstacle.isEmpty() && lost == 0 && violations.isEmpty() && deaths.isEmpty() && budgets.exceeded() == 0;
    }

    /** Rows a second, by tenth of the amount. */
    double[] tenths(Tally tally) {
        long end = Math.min(untilNanos, tally.doneNanos());
        return Rates.tenths(tally.rowsBySecond(fromNanos, untilNanos), (end - fromNanos) / 1e9);
    }
}
