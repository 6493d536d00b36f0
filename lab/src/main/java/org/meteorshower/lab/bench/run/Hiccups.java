/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that only sleeps: how much too late it wakes is what the machine and the JVM add to anything. Thread-safe.
 */
final class Hiccups implements AutoCloseable {
    private static final long SLEEP_NANOS = 1_000_000;

    private final AtomicLong longestNanos = new AtomicLong();
    private final Thread thread = new Thread(this::sleep, "bench-hiccups");

    Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void sleep() {
        while (!Thread.currentThread().isInterrupted()) {
            long before = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            long late = System.nanoTime() - before - SLEEP_NANOS;
            longestNanos.accumulateAndGet(late, Math::max);
        }
    }

    /** The longest since the last call. */
    double longestMillis() {
        return Math.max(0, longestNanos.getAndSet(0)) / 1e6;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
