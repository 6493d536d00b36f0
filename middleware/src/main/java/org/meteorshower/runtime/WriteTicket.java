/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.driver.StoppedException;

/** A write under way. To be closed, whatever became of it. Used by one thread at a time. */
public interface WriteTicket extends AutoCloseable {
    /** To be used for every cell of the write. */
    long timestampMicros();

    /**
     * Waits until w replicas are known to have applied the write, and when.
     *
     * @return the session's new token; or -1 if the deadline passed, or the table was disabled, and then the write's
     *     outcome is not known
     * @throws StoppedException if this node stopped meanwhile; then the write's outcome is not known either
     */
    long awaitDone(long deadlineNanos) throws InterruptedException;

    /**
     * What keeps the write from being acknowledged, in words. For a message, when {@link #awaitDone} has given up and
     * before the ticket is closed; says so where it is not known.
     */
    String whyPending();

    @Override
    void close();
}
