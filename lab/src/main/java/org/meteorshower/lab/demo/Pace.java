/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.meteorshower.lab.cluster.DelayList;

/**
 * Keeps one client from starting more operations than its share of the limit, on average over a few operations: a read
 * may follow a slow write at once, but a long stall is not made up for. For one thread.
 *
 * <p>The limit is what makes modes comparable on one small machine. Clients of LOCAL_ONE, which never wait for the wide
 * area, would otherwise do twenty times the operations of all others and measure nothing but a full processor.
 */
final class Pace {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Where there is no delay: far below what two cores can do, and thus a latency, not a queue. */
    private static final double MOST_BY_DEFAULT = 1_000;

    /** How far a client may be behind its share and still catch up. */
    private static final int CREDIT_INTERVALS = 10;

    /** 0: no limit. */
    private final long intervalNanos;

    private long nextNanos;

    /** @param nowNanos the first operation starts within one interval from now, so that clients do not march in step */
    Pace(Workload workload, long nowNanos, RandomGenerator random) {
        intervalNanos = workload.operationsPerSecond() == 0
                ? 0
                : (long) (workload.threads() * NANOS_PER_SECOND / workload.operationsPerSecond());
        nextNanos = nowNanos + (intervalNanos == 0 ? 0 : random.nextLong(intervalNanos));
    }

    /** Waits until the next operation may start, but not past the end; returns when it starts. */
    long await(long endNanos) {
        long now = System.nanoTime();
        long until = nextNanos - endNanos > 0 ? endNanos : nextNanos;
        while (now - until < 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - now);
            now = System.nanoTime();
        }
        nextNanos = Math.max(nextNanos, now - CREDIT_INTERVALS * intervalNanos) + intervalNanos;
        return now;
    }

    /**
     * The limit where none is given: what the clients reach when reads take no time and a write takes a round trip to
     * the nearest other data centre.
     */
    static double defaultOperationsPerSecond(
            int threads, double readShare, List<String> dcs, List<Double> delaysMillis) {
        List<DelayList.Pair> pairs = DelayList.pairs(dcs, delaysMillis);
        double roundTripMillis = dcs.stream()
                .mapToDouble(dc -> pairs.stream()
                        .filter(pair -> pair.a().equals(dc) || pair.b().equals(dc))
                        .mapToDouble(pair -> 2 * pair.delayMillis())
                        .min()
                        .orElse(0))
                .average()
                .orElse(0);
        double operationMillis = (1 - readShare) * roundTripMillis;
        return operationMillis == 0 ? MOST_BY_DEFAULT : Math.min(MOST_BY_DEFAULT, threads * 1_000 / operationMillis);
    }
}
