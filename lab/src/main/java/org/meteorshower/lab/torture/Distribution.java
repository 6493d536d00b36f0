/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Arrays;
import java.util.Collection;

/** Latencies in milliseconds, exact. Immutable. */
public final class Distribution {
    private final double[] sorted;

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    public static Distribution of(Collection<Sample> samples) {
        double[] millis = samples.stream().mapToDouble(Sample::millis).toArray();
        Arrays.sort(millis);
        return new Distribution(millis);
    }

    public int count() {
        return sorted.length;
    }

    /** NaN of nothing. */
    public double at(double percentile) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percentile / 100 * sorted.length);
        return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
    }

    public double max() {
        return at(100);
    }
}
