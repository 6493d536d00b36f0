/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Arrays;
import java.util.Collection;

/** Latencies in milliseconds, exact. Immutable. */
final class Distribution {
    private final double[] sorted;

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    static Distribution of(Collection<Sample> samples) {
        double[] millis = samples.stream().mapToDouble(Sample::millis).toArray();
        Arrays.sort(millis);
        return new Distribution(millis);
    }

    int count() {
        return sorted.length;
    }

    /** NaN of nothing. */
    double at(double percentile) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percentile / 100 * sorted.length);
        return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
    }

    double max() {
        return at(100);
    }
}
