/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.Window;

/** The latencies of one run as counts for each window and value, quick to draw again. Immutable. */
final class Sample {
    /** In microseconds, rising. */
    private final long[] values;

    /** For each window as many counts as values. */
    private final long[][] counts;

    private Sample(long[] values, long[][] counts) {
        this.values = values;
        this.counts = counts;
    }

    static Sample of(List<Window> windows, Op op) {
        TreeSet<Long> distinct = new TreeSet<>();
        for (Window window : windows) {
            for (HistogramIterationValue value : window.of(op).recordedValues()) {
                distinct.add(value.getValueIteratedTo());
            }
        }
        long[] values = distinct.stream().mapToLong(Long::longValue).toArray();
        long[][] counts = new long[windows.size()][values.length];
        for (int w = 0; w < counts.length; w++) {
            Histogram histogram = windows.get(w).of(op);
            int at = 0;
            for (HistogramIterationValue value : histogram.recordedValues()) {
                while (values[at] < value.getValueIteratedTo()) {
                    at++;
                }
                counts[w][at] = value.getCountAtValueIteratedTo();
            }
        }
        return new Sample(values, counts);
    }

    /** The sums over all windows. */
    long[] whole() {
        long[] sum = new long[values.length];
        for (long[] window : counts) {
            add(window, sum);
        }
        return sum;
    }

    /** The sums over as many windows as there are, drawn with replacement. */
    long[] resampled(SplittableRandom random) {
        long[] sum = new long[values.length];
        for (int drawn = 0; drawn < counts.length; drawn++) {
            add(counts[random.nextInt(counts.length)], sum);
        }
        return sum;
    }

    private static void add(long[] window, long[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += window[i];
        }
    }

    /** The value at a percentile; NaN where nothing was counted. */
    double at(double percentile, long[] sum) {
        long total = total(sum);
        long rank = Math.max(1, (long) Math.ceil(total * percentile / 100));
        long seen = 0;
        for (int i = 0; i < sum.length; i++) {
            seen += sum[i];
            if (seen >= rank) {
                return Math.max(1, values[i]);
            }
        }
        return Double.NaN;
    }

    static long total(long[] sum) {
        long total = 0;
        for (long count : sum) {
            total += count;
        }
        return total;
    }

    int windows() {
        return counts.length;
    }
}
