/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;

/** What was measured in one mode at one data centre, or in several together. Thread-safe. */
final class OperationStats {
    private final Latencies reads = new Latencies();
    private final Latencies writes = new Latencies();
    private final Latencies staleness = new Latencies();
    private final Map<Served, AtomicInteger> served = new EnumMap<>(Served.class);
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    OperationStats() {
        for (Served way : Served.values()) {
            served.put(way, new AtomicInteger());
        }
    }

    void read(long nanos, @Nullable ReadInfo info) {
        reads.add(TimeUnit.NANOSECONDS.toMicros(nanos));
        if (info != null) {
            staleness.add(info.stalenessMicros());
            counter(info.served()).incrementAndGet();
        }
    }

    void written(long nanos) {
        writes.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    void failed(String reason) {
        failures.incrementAndGet();
        firstFailure.compareAndSet(null, reason);
    }

    void addAll(OperationStats other) {
        reads.addAll(other.reads);
        writes.addAll(other.writes);
        staleness.addAll(other.staleness);
        other.served.forEach((way, count) -> counter(way).addAndGet(count.get()));
        failures.addAndGet(other.failures.get());
        String failure = other.firstFailure.get();
        if (failure != null) {
            firstFailure.compareAndSet(null, failure);
        }
    }

    Latencies reads() {
        return reads;
    }

    Latencies writes() {
        return writes;
    }

    /** How far the cuts of reads lay behind their coordinators' clocks. */
    Latencies staleness() {
        return staleness;
    }

    int failures() {
        return failures.get();
    }

    @Nullable
    String firstFailure() {
        return firstFailure.get();
    }

    long succeeded() {
        return reads.count() + writes.count();
    }

    /** Share of the reads served at once, at the newest cut or an older one; NaN where nobody told. */
    double localShare() {
        return share(Served.LOCAL) + share(Served.OLDER);
    }

    /** Share of the reads that told how they were served; NaN where none did. */
    double share(Served way) {
        int all = served.values().stream().mapToInt(AtomicInteger::get).sum();
        return all == 0 ? Double.NaN : (double) counter(way).get() / all;
    }

    private AtomicInteger counter(Served way) {
        return served.computeIfAbsent(way, absent -> new AtomicInteger());
    }
}
