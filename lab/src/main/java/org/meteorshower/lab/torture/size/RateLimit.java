/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets a thread go on so many times a second at most. What it did not use it does not make up for. One thread. */
final class RateLimit {
    private final long intervalNanos;
    private long dueNanos = System.nanoTime();

    /** @param rate a second; 0: as often as it asks */
    RateLimit(double rate) {
        intervalNanos = rate > 0 ? (long) (TimeUnit.SECONDS.toNanos(1) / rate) : 0;
    }

    /** Returns when it is time, or when the thread is interrupted. */
    void await() {
        long now = System.nanoTime();
        if (intervalNanos == 0 || dueNanos - now < -intervalNanos) {
            dueNanos = now;
        }
        while (dueNanos - now > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(dueNanos - now);
            now = System.nanoTime();
        }
        dueNanos += intervalNanos;
    }
}
