/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often durations of each size came: counts in fixed buckets since the start, and from them quantiles of the last
 * minute.
 *
 * <p>Thread-safe; adding costs a search among {@value #BUCKETS} buckets and two additions without contention.
 * {@link #roll} is for one thread.
 */
public final class Distribution implements MetricSet.Value {
    static final int BUCKETS = 22;

    /** How often {@link #roll} is called a minute. */
    static final int ROLLS_A_MINUTE = 6;

    /** Upper bounds, included; above the last one there is one more bucket. */
    private static final long[] BOUNDS_MICROS = {
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        20_000,
        30_000,
        50_000,
        75_000,
        100_000,
        150_000,
        200_000,
        300_000,
        500_000,
        750_000,
        1_000_000,
        2_000_000,
        5_000_000,
        10_000_000
    };

    private final LongAdder[] counts = new LongAdder[BUCKETS];
    private final LongAdder sumMicros = new LongAdder();
    private final ArrayDeque<long[]> rolled = new ArrayDeque<>();
    private volatile long[] aMinuteAgo = new long[BUCKETS];

    public Distribution() {
        Arrays.setAll(counts, i -> new LongAdder());
    }

    public void add(long micros) {
        counts[bucketOf(micros)].increment();
        sumMicros.add(Math.max(0, micros));
    }

    private static int bucketOf(long micros) {
        int low = 0;
        int high = BUCKETS - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (micros <= BOUNDS_MICROS[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Upper bounds of all buckets but the last, which has none. */
    static long[] boundsMicros() {
        return BOUNDS_MICROS.clone();
    }

    /** Per bucket, since the start. */
    long[] counts() {
        long[] now = new long[BUCKETS];
        Arrays.setAll(now, i -> counts[i].sum());
        return now;
    }

    public long count() {
        return Arrays.stream(counts()).sum();
    }

    long sumMicros() {
        return sumMicros.sum();
    }

    /** To be called every ten seconds: lets what is older than a minute go out of the quantiles. */
    void roll() {
        rolled.addLast(counts());
        if (rolled.size() == ROLLS_A_MINUTE) {
            aMinuteAgo = rolled.removeFirst();
        }
    }

    /**
     * A quantile of the last minute, interpolated within its bucket; of the values above all bounds the largest bound
     * is given.
     *
     * @return microseconds, or NaN where nothing came
     */
    public double quantileMicros(double quantile) {
        long[] recent = counts();
        long[] before = aMinuteAgo;
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            recent[i] -= before[i];
            total += recent[i];
        }
        if (total == 0) {
            return Double.NaN;
        }
        double rank = quantile * total;
        long below = 0;
        for (int i = 0; i < BUCKETS - 1; i++) {
            if (recent[i] > 0 && below + recent[i] >= rank) {
                double from = i == 0 ? 0 : BOUNDS_MICROS[i - 1];
                return from + (BOUNDS_MICROS[i] - from) * Math.max(0, rank - below) / recent[i];
            }
            below += recent[i];
        }
        return BOUNDS_MICROS[BUCKETS - 2];
    }
}
