/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;

/** Where a waiting thread finds the effects meant for it. At most a few at a time: the core answers each question once. Thread-safe. */
final class Mailbox {
    final long id;
    private final ArrayDeque<Effect> effects = new ArrayDeque<>(2);
    private @Nullable RuntimeException stoppedBy;

    Mailbox(long id) {
        this.id = id;
    }

    synchronized void put(Effect effect) {
        effects.addLast(effect);
        notifyAll();
    }

    /** Nothing more will come. What has come already is still handed out. */
    synchronized void stop(RuntimeException cause) {
        stoppedBy = cause;
        notifyAll();
    }

    synchronized void putBack(Effect effect) {
        effects.addFirst(effect);
    }

    synchronized @Nullable Effect poll() {
        return effects.pollFirst();
    }

    /**
     * Waits for the next effect, and takes it; null where there is none by the deadline.
     *
     * @throws StoppedException if the node stopped, and nothing more will come
     */
    synchronized @Nullable Effect takeOrNull(long deadlineNanos, Clock clock) throws InterruptedException {
        while (effects.isEmpty()) {
            if (stoppedBy != null) {
                throw new StoppedException(stoppedBy);
            }
            long leftNanos = deadlineNanos - clock.now().elapsedNanos();
            if (leftNanos <= 0) {
                return null;
            }
            // Rounded up: a wait of 0 milliseconds would be for ever.
            wait(leftNanos / 1_000_000 + 1);
        }
        return effects.pollFirst();
    }
}
