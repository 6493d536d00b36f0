/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.concurrent.TimeUnit;
import org.meteorshower.protocol.ReadMode;

/**
 * On what terms a client's read is served.
 *
 * @param tokenMicros the session token s
 * @param deadlineNanos of this attempt, on the elapsed clock of this node
 * @param lastNanos the client's, after which no other attempt is made
 */
public record ReadTerms(long tokenMicros, ReadMode mode, long deadlineNanos, long lastNanos) {
    /** In less than that an attempt cannot even find out what it waits for. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** @param deadlineNanos the client's */
    public ReadTerms(long tokenMicros, ReadMode mode, long deadlineNanos) {
        this(tokenMicros, mode, deadlineNanos, deadlineNanos);
    }

    /** The same, but not longer than until then; others may follow. */
    ReadTerms until(long nanos) {
        return nanos - deadlineNanos < 0 ? new ReadTerms(tokenMicros, mode, nanos, lastNanos) : this;
    }

    /** Whether there is no time for another attempt: what the last one says counts. */
    boolean isOver() {
        return deadlineNanos - System.nanoTime() <= LEAST_NANOS;
    }
}
