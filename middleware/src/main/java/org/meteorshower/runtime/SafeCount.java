/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.StoppedException;

/** Counts what is written, and what of that somebody has made safe since; others wait for it. Thread-safe. */
public abstract class SafeCount implements Safety {
    private final AtomicLong written = new AtomicLong();
    private volatile long safe;
    private volatile @Nullable RuntimeException failure;

    /** One more is written. Returns its number. */
    protected final long count() {
        return written.incrementAndGet();
    }

    /** All up to this number is safe. */
    protected final synchronized void nowSafe(long until) {
        safe = until;
        notifyAll();
    }

    /** Nothing more will be safe. */
    protected final synchronized void neverSafe(RuntimeException cause) {
        failure = cause;
        notifyAll();
    }

    protected final boolean isAllSafe() {
        return written.get() == safe;
    }

    @Override
    public final long written() {
        return written.get();
    }

    @Override
    public final boolean isSafe(long number) {
        return number <= safe;
    }

    @Override
    public final boolean await(long number, long deadlineNanos) throws InterruptedException {
        if (isSafe(number)) {
            return true;
        }
        synchronized (this) {
            while (!isSafe(number)) {
                RuntimeException cause = failure;
                if (cause != null) {
                    throw new StoppedException(cause);
                }
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return false;
                }
                // Rounded up: a wait of 0 milliseconds would be for ever.
                wait(leftNanos / 1_000_000 + 1);
            }
            return true;
        }
    }
}
