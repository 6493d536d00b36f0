/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;

/** A write that got its timestamp at this node. */
final class OwnTicket implements WriteTicket {
    private final Clock clock;
    private final Mailbox<Effect.WriteAnswer> mailbox;
    private final Requests requests;
    private final Writing writing = new Writing();
    private final long timestampMicros;
    private boolean done;

    /** What this ticket asks of the core. */
    interface Requests {
        /** Nobody waits any more. */
        void end();

        /** What keeps the write from being acknowledged; null where it is not under way. */
        @Nullable
        String whyPending();
    }

    /**
     * @param mailbox has, or will get, what the core answers
     * @param requests to the core about this write
     * @param deadlineNanos until when the write may wait for its timestamp: it does while partitions move
     * @throws RequestRefusedException if the core has refused it, or it has none by the deadline
     */
    OwnTicket(Clock clock, Mailbox<Effect.WriteAnswer> mailbox, Requests requests, long deadlineNanos)
            throws RequestRefusedException, InterruptedException {
        this.clock = clock;
        this.mailbox = mailbox;
        this.requests = requests;
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
                requests.end();
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
    public String whyPending() {
        String why = requests.whyPending();
        return why == null ? "it was given up at this node, or acknowledged too late" : why;
    }

    @Override
    public void close() {
        if (!done) {
            requests.end();
        }
    }
}
