/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.function.Supplier;
import org.apache.cassandra.metrics.ClientRequestsMetricsHolder;
import org.apache.cassandra.utils.EstimatedHistogram;

/**
 * How long clients' reads take that this node coordinates, as Cassandra counts them, whether MeteorShower serves them
 * or not. Used by one thread.
 */
final class ClientReads {
    /** Nothing new can be said yet. */
    static final long NOT_YET = -1;

    /** Of fewer a 99th percentile says little. */
    private static final int ENOUGH = 200;

    /** Then it is taken of what there is. */
    private static final int LOOKS = 5;

    /** Fewer than this in so many looks are nobody. */
    private static final int SOME = 20;

    private final Supplier<long[]> counts;
    private long[] before;
    private int looks;

    /** @param counts how many there were since the start, by Cassandra's buckets */
    ClientReads(Supplier<long[]> counts) {
        this.counts = counts;
        before = counts.get();
    }

    static ClientReads ofThisNode() {
        return new ClientReads(() ->
                ClientRequestsMetricsHolder.readMetrics.latency.getSnapshot().getValues());
    }

    /**
     * The 99th percentile since it was last given, in microseconds; 0 where hardly anybody reads; {@link #NOT_YET}
     * while there are too few reads to tell. To be called each second.
     */
    long p99Micros() {
        long[] now = counts.get();
        if (now.length != before.length || now.length < 2) {
            before = now;
            looks = 0;
            return NOT_YET;
        }
        long[] since = new long[now.length];
        long count = 0;
        for (int i = 0; i < now.length; i++) {
            since[i] = Math.max(0, now[i] - before[i]);
            count += since[i];
        }
        looks++;
        if (count < ENOUGH && looks < LOOKS) {
            return NOT_YET;
        }
        before = now;
        looks = 0;
        return count < SOME ? 0 : Math.max(1, p99Of(since));
    }

    private static long p99Of(long[] counts) {
        long[] bounds = EstimatedHistogram.newOffsets(counts.length - 1, false);
        EstimatedHistogram histogram = new EstimatedHistogram(bounds, counts);
        return histogram.isOverflowed() ? bounds[bounds.length - 1] : histogram.percentile(0.99);
    }
}
