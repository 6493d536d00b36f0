/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import org.HdrHistogram.Histogram;

/**
 * About a second of a run. Immutable by agreement: nobody changes the histograms.
 *
 * @param startEpochMillis wall time
 * @param endEpochMillis wall time
 * @param reads latencies in microseconds of those that ended in it
 * @param writes likewise
 */
public record Window(
        long startEpochMillis, long endEpochMillis, Histogram reads, Histogram writes, MachineSample machine) {
    public Histogram of(Op op) {
        return op == Op.READ ? reads : writes;
    }
}
