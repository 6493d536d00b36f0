/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.meteorshower.protocol.ReadMode;

/**
 * On what terms a client's read is served.
 *
 * @param tokenMicros the session token s
 * @param deadlineNanos on the elapsed clock of this node
 */
public record ReadTerms(long tokenMicros, ReadMode mode, long deadlineNanos) {
    /** The same, but not longer than until then. */
    ReadTerms until(long nanos) {
        return nanos - deadlineNanos < 0 ? new ReadTerms(tokenMicros, mode, nanos) : this;
    }

    boolean isOver() {
        return deadlineNanos - System.nanoTime() <= 0;
    }
}
