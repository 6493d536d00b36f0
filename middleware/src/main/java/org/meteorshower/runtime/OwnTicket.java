/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Effect;

/** A write that got its timestamp at this node. */
final class OwnTicket implements WriteTicket {
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
    OwnTicket(Clock clock, Mailbox<Effect.WriteAnswer> mailbox, Runnable abandon, long deadlineNanos)
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
                        "it had no timestamp by its deadline: the table's partitions move between nodes, or, with strict=home,"
                                + " this node holds no lease (meteorshower.leases); nothing was written");
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

    @Override
    public long timestampMicros() {
        return timestampMicros;
    }

    @Override
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
