/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.tpcc.TpccType;

/**
 * What came of a run of TPC-C. Immutable by agreement: nobody changes the histograms.
 *
 * @param byType of each of the five
 * @param skipped districts in which a delivery found no order
 */
public record TpccFigures(Map<TpccType, OfType> byType, long skipped) {
    /**
     * What the measurement counts of one kind.
     *
     * @param latencies in microseconds, of those that committed or rolled back as intended
     * @param commits those that took effect
     * @param rollbacks as the standard wants: new orders of an item that there is not
     * @param aborts that nobody wanted
     * @param unknown which may have taken effect
     */
    public record OfType(Histogram latencies, long commits, long rollbacks, long aborts, long unknown) {}
}
