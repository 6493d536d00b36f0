/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.concurrent.TimeUnit;
import org.meteorshower.protocol.ReadMode;

/**
 * On what terms a client's read is served.
 *
 * @param tokenMicros the session token s
 * @param deadlineNanos on the elapsed clock of this node
 */
public record ReadTerms(long tokenMicros, ReadMode mode, long deadlineNanos) {
    /** In less than that an attempt cannot even find out what it waits for. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** The same, but not longer than until then. */
    ReadTerms until(long nanos) {
        return nanos - deadlineNanos < 0 ? new ReadTerms(tokenMicros, mode, nanos) : this;
    }

    /** Whether there is no time for another attempt: what the last one says counts. */
    boolean isOver() {
        return deadlineNanos - System.nanoTime() <= LEAST_NANOS;
    }
}
