/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import org.HdrHistogram.Histogram;
import org.meteorshower.lab.console.Numbers;

/** Durations of one kind, in microseconds, three digits exact. Thread-safe. */
final class Latencies {
    /** Longer ones count as this. */
    private static final long MOST_MICROS = 120_000_000;

    private final Histogram micros = new Histogram(MOST_MICROS, 3);

    synchronized void add(long durationMicros) {
        micros.recordValue(Math.max(0, Math.min(durationMicros, MOST_MICROS)));
    }

    synchronized void addAll(Latencies other) {
        micros.add(other.copy());
    }

    private synchronized Histogram copy() {
        return micros.copy();
    }

    synchronized long count() {
        return micros.getTotalCount();
    }

    /** NaN where nothing was added. */
    synchronized double millisAt(double percentile) {
        return Numbers.millisAt(micros, percentile);
    }
}
