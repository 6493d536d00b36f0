/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.Inbox;
import org.meteorshower.driver.StoppedException;

/**
 * Where a waiting thread finds the answers meant for it. At most a few at a time: the core answers each question once.
 * Thread-safe.
 *
 * @param <A> answers of its kind of question
 */
final class Mailbox<A> implements Inbox<A> {
    private final ArrayDeque<A> answers = new ArrayDeque<>(2);
    private final Safety safety;
    private long safeFrom;
    private @Nullable RuntimeException stoppedBy;

    /** @param safety of what answers rely on: none is handed out before */
    Mailbox(Safety safety) {
        this.safety = safety;
    }

    @Override
    public synchronized void put(A answer) {
        safeFrom = safety.written();
        answers.addLast(answer);
        notifyAll();
    }

    /** Nothing more will come. What has come already is still handed out. */
    @Override
    public synchronized void stop(RuntimeException cause) {
        stoppedBy = cause;
        notifyAll();
    }

    /**
     * Waits for the next answer, and takes it; null where there is none by the deadline, or what it relies on is not
     * safe by then.
     *
     * @throws StoppedException if the node stopped, and nothing more will come
     */
    @Nullable
    A takeOrNull(long deadlineNanos, Clock clock) throws InterruptedException {
        A answer = next(deadlineNanos, clock);
        return answer == null || safety.await(safeFrom(), deadlineNanos) ? answer : null;
    }

    private synchronized long safeFrom() {
        return safeFrom;
    }

    private synchronized @Nullable A next(long deadlineNanos, Clock clock) throws InterruptedException {
        while (answers.isEmpty()) {
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
        return answers.pollFirst();
    }
}
