/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Effect;

/** A write under way. To be closed, whatever became of it. Used by one thread. */
public final class WriteTicket implements AutoCloseable {
    private final Clock clock;
    private final Mailbox<Effect.WriteAnswer> mailbox;
    private final Runnable abandon;
    private final Writing writing = new Writing();
    private final long timestampMicros;
    private boolean done;

    /**
     * @param mailbox has, or will get, what the core answers
     * @param abandon tells the core that nobody waits any more
     * @param deadlineNanos until when the write may wait for its timestamp: it does while partitions move
     * @throws RequestRefusedException if the core has refused it, or it has none by the deadline
     */
    WriteTicket(Clock clock, Mailbox<Effect.WriteAnswer> mailbox, Runnable abandon, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        this.clock = clock;
        this.mailbox = mailbox;
        this.abandon = abandon;
        boolean begun = false;
        try {
            Effect.WriteAnswer answer = mailbox.takeOrNull(deadlineNanos, clock);
            if (answer == null) {
                throw new RequestRefusedException(
                        Effect.Failure.NOT_READY,
                        "the table's partitions move between nodes, and not all have heard of it; nothing was written");
            }
            answer.handOver(writing);
            timestampMicros = writing.timestampMicros();
            begun = true;
        } finally {
            if (!begun) {
                abandon.run();
            }
        }
    }

    /** To be used for every cell of the write. */
    public long timestampMicros() {
        return timestampMicros;
    }

    /**
     * Waits until w replicas are known to have applied the write, and when.
     *
     * @return the session's new token; or -1 if the deadline passed, or the table was disabled, and then the write's
     *     outcome is not known
     * @throws StoppedException if this node stopped meanwhile; then the write's outcome is not known either
     */
    public long awaitDone(long deadlineNanos) throws InterruptedException {
        Effect.WriteAnswer answer = mailbox.takeOrNull(deadlineNanos, clock);
        done = answer != null;
        if (answer != null) {
            answer.handOver(writing);
        }
        return writing.tokenMicros();
    }

    @Override
    public void close() {
        if (!done) {
            abandon.run();
        }
    }
}
