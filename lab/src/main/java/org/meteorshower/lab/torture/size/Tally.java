/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.meteorshower.lab.torture.Distribution;
import org.meteorshower.lab.torture.Sample;

/** What came of a load's requests. Times in nanoseconds since the run began. Thread-safe. */
final class Tally {
    private static final int MOST_KINDS = 50;
    private static final long SECOND = 1_000_000_000L;

    private final List<Sample> samples = new ArrayList<>();
    private final List<Integer> rowsOf = new ArrayList<>();
    private final Map<String, Long> errors = new TreeMap<>();
    private final List<Long> errorTimes = new ArrayList<>();
    private long rows;
    private long refused;
    private long unknown;
    private long doneNanos = Long.MAX_VALUE;

    synchronized void acknowledged(long startNanos, long endNanos, int rowsWritten, boolean writes) {
        samples.add(new Sample(startNanos, endNanos, 0, 0, writes ? Sample.What.WRITE : Sample.What.READ, false));
        rowsOf.add(writes ? rowsWritten : 0);
        rows += writes ? rowsWritten : 0;
    }

    synchronized void failed(long endNanos, LoadError error) {
        if (errors.size() < MOST_KINDS || errors.containsKey(error.kind())) {
            errors.merge(error.kind(), 1L, Long::sum);
        }
        errorTimes.add(endNanos);
        if (error.refused()) {
            refused++;
        } else {
            unknown++;
        }
    }

    /** All that there was to do is acknowledged. */
    synchronized void done(long nanos) {
        doneNanos = nanos;
    }

    /** When it was done; the largest number where it was not. */
    synchronized long doneNanos() {
        return doneNanos;
    }

    /** Written and acknowledged. */
    synchronized long rows() {
        return rows;
    }

    /** Requests that certainly had no effect. */
    synchronized long refused() {
        return refused;
    }

    synchronized long unknown() {
        return unknown;
    }

    synchronized Map<String, Long> errors() {
        return new TreeMap<>(errors);
    }

    /** Rows that were acknowledged in each second. */
    synchronized double[] rowsBySecond(long fromNanos, long untilNanos) {
        double[] bySecond = new double[seconds(fromNanos, untilNanos)];
        for (int i = 0; i < samples.size(); i++) {
            long end = samples.get(i).endNanos();
            if (end >= fromNanos && end < untilNanos) {
                bySecond[(int) ((end - fromNanos) / SECOND)] += rowsOf.get(i);
            }
        }
        return bySecond;
    }

    synchronized double[] errorsBySecond(long fromNanos, long untilNanos) {
        double[] bySecond = new double[seconds(fromNanos, untilNanos)];
        for (long end : errorTimes) {
            if (end >= fromNanos && end < untilNanos) {
                bySecond[(int) ((end - fromNanos) / SECOND)]++;
            }
        }
        return bySecond;
    }

    /** The 99th percentile, in milliseconds, of what was acknowledged in each second; NaN where nothing was. */
    synchronized double[] p99BySecond(long fromNanos, long untilNanos) {
        List<List<Sample>> bySecond = Stream.generate(() -> (List<Sample>) new ArrayList<Sample>())
                .limit(seconds(fromNanos, untilNanos))
                .toList();
        for (Sample sample : samples) {
            if (sample.endNanos() >= fromNanos && sample.endNanos() < untilNanos) {
                bySecond.get((int) ((sample.endNanos() - fromNanos) / SECOND)).add(sample);
            }
        }
        return bySecond.stream()
                .mapToDouble(each -> Distribution.of(each).at(99))
                .toArray();
    }

    private static int seconds(long fromNanos, long untilNanos) {
        return (int) ((untilNanos - fromNanos) / SECOND) + 1;
    }

    /** How long the requests took that ended meanwhile. */
    synchronized Distribution latencies(Sample.What what, long fromNanos, long untilNanos) {
        return Distribution.of(samples.stream()
                .filter(sample ->
                        sample.what() == what && sample.endNanos() >= fromNanos && sample.endNanos() < untilNanos)
                .toList());
    }
}
