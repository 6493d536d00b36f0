/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;

/**
 * Counts operations that should have begun within a span of time; others it ignores, so that warming-up is not measured
 * and what is late is. Thread-safe.
 */
final class Measurement {
    private static final int DIGITS = 3;

    private final long startNanos;
    private final long endNanos;
    private final Recorder reads = new Recorder(DIGITS);
    private final Recorder writes = new Recorder(DIGITS);
    private final Recorder readService = new Recorder(DIGITS);
    private final Recorder writeService = new Recorder(DIGITS);
    private final Recorder staleness = new Recorder(DIGITS);
    private final Map<String, Recorded> byDataCentre = new ConcurrentHashMap<>();
    private final Map<Served, LongAdder> served = new EnumMap<>(Served.class);
    private final Map<Op, LongAdder> failures = new EnumMap<>(Op.class);
    private final LongAdder overflow = new LongAdder();
    private final Map<Op, AtomicReference<@Nullable String>> firstFailures = new EnumMap<>(Op.class);

    /** Both as of {@link System#nanoTime}. */
    Measurement(long startNanos, long endNanos) {
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        Arrays.stream(Served.values()).forEach(way -> served.put(way, new LongAdder()));
        for (Op op : Op.values()) {
            failures.put(op, new LongAdder());
            firstFailures.put(op, new AtomicReference<>());
        }
    }

    long startNanos() {
        return startNanos;
    }

    long endNanos() {
        return endNanos;
    }

    /** Whether an operation that should have begun then is measured. */
    boolean counts(long intendedNanos) {
        return intendedNanos - startNanos >= 0 && intendedNanos - endNanos < 0;
    }

    /** @param dc of the client */
    void read(String dc, long intendedNanos, long beganNanos, long endedNanos, @Nullable ReadInfo info) {
        if (counts(intendedNanos)) {
            reads.recordValue(micros(endedNanos - intendedNanos));
            of(dc).reads.recordValue(micros(endedNanos - intendedNanos));
            readService.recordValue(micros(endedNanos - beganNanos));
            if (info != null) {
                LongAdder way = served.get(info.served());
                if (way != null) {
                    way.increment();
                }
                staleness.recordValue(Math.max(0, info.stalenessMicros()));
            }
        }
    }

    /** @param dc of the client */
    void written(String dc, long intendedNanos, long beganNanos, long endedNanos) {
        if (counts(intendedNanos)) {
            writes.recordValue(micros(endedNanos - intendedNanos));
            of(dc).writes.recordValue(micros(endedNanos - intendedNanos));
            writeService.recordValue(micros(endedNanos - beganNanos));
        }
    }

    void failed(Op op, long intendedNanos, String reason) {
        if (counts(intendedNanos)) {
            failures.getOrDefault(op, new LongAdder()).increment();
            AtomicReference<@Nullable String> first = firstFailures.get(op);
            if (first != null) {
                first.compareAndSet(null, reason);
            }
        }
    }

    /** An operation that never began because too many were under way or waiting. */
    void overflowed(long intendedNanos) {
        if (counts(intendedNanos)) {
            overflow.increment();
        }
    }

    /** What ended since the last call. For one thread. */
    Latencies interval() {
        return new Latencies(reads.getIntervalHistogram(), writes.getIntervalHistogram());
    }

    /** Of the whole span, by the data centre of those who asked. For one call, when all have ended. */
    Map<String, Latencies> byDataCentre() {
        Map<String, Latencies> latencies = new TreeMap<>();
        byDataCentre.forEach((dc, recorded) -> latencies.put(
                dc, new Latencies(recorded.reads.getIntervalHistogram(), recorded.writes.getIntervalHistogram())));
        return latencies;
    }

    /** What clients of one data centre waited. */
    private static final class Recorded {
        final Recorder reads = new Recorder(DIGITS);
        final Recorder writes = new Recorder(DIGITS);
    }

    private Recorded of(String dc) {
        return byDataCentre.computeIfAbsent(dc, unused -> new Recorded());
    }

    /** From the start of the request rather than from when it should have started; since the last call. */
    Latencies service() {
        return new Latencies(readService.getIntervalHistogram(), writeService.getIntervalHistogram());
    }

    /** How far the cuts of reads lay behind, in microseconds; since the last call. */
    Histogram staleness() {
        return staleness.getIntervalHistogram();
    }

    Map<Served, Long> served() {
        Map<Served, Long> counts = new EnumMap<>(Served.class);
        served.forEach((way, count) -> counts.put(way, count.sum()));
        return counts;
    }

    /** Those of each kind, of which there were any. */
    Map<Op, RunResult.Failures> failures() {
        Map<Op, RunResult.Failures> told = new EnumMap<>(Op.class);
        failures.forEach((op, count) -> {
            AtomicReference<@Nullable String> first = firstFailures.get(op);
            String reason = first == null ? null : first.get();
            if (count.sum() > 0) {
                told.put(op, new RunResult.Failures(count.sum(), reason == null ? "" : reason));
            }
        });
        return told;
    }

    long overflow() {
        return overflow.sum();
    }

    private static long micros(long nanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos));
    }
}
