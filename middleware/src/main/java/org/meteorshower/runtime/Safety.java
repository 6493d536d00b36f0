/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.meteorshower.driver.StoppedException;

/** How much of what was written to a journal is as safe as the journal keeps things. Thread-safe. */
public interface Safety {
    /** Nobody is to wait for the journal: what was written is safe enough. */
    Safety AT_ONCE = new Safety() {
        @Override
        public long written() {
            return 0;
        }

        @Override
        public boolean isSafe(long number) {
            return true;
        }

        @Override
        public boolean await(long number, long deadlineNanos) {
            return true;
        }

        @Override
        public void tell(Runnable safer, Consumer<RuntimeException> failed) {}
    };

    /** How much was written: what is written from now on has larger numbers. 0 where nobody is to wait. */
    long written();

    /** Whether what was written up to this is safe. */
    boolean isSafe(long number);

    /**
     * Blocks until it is.
     *
     * @return false if it is not by the deadline
     * @throws StoppedException if it cannot be
     */
    boolean await(long number, long deadlineNanos) throws InterruptedException;

    /**
     * @param safer called when more is safe than before, by a thread of the journal's; must not block
     * @param failed called once, if nothing can be made safe any more
     */
    void tell(Runnable safer, Consumer<RuntimeException> failed);

    /**
     * Blocks until it is, as long as the disk takes, also where the thread is interrupted.
     *
     * @throws StoppedException if it cannot be
     */
    default void await(long number) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (await(number, System.nanoTime() + TimeUnit.SECONDS.toNanos(1))) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
