/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import org.HdrHistogram.Histogram;

/** In microseconds. Immutable by agreement: nobody changes the histograms. */
public record Latencies(Histogram reads, Histogram writes) {
    public Histogram of(Op op) {
        return op == Op.READ ? reads : writes;
    }
}
