/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Runs the code of an interactive transaction until it commits, with pauses. For one thread, which waits. */
final class InteractiveRun<T> {

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private final MeteorShowerTransactions transactions;
    private final Function<InteractiveTransaction, T> body;
    private final int mostTries;

    InteractiveRun(MeteorShowerTransactions transactions, Function<InteractiveTransaction, T> body, int mostTries) {
        this.transactions = transactions;
        this.body = body;
        this.mostTries = mostTries;
    }

    T run() {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        for (int left = mostTries; left > 0; left--) {
            InteractiveTransaction once = new InteractiveTransaction(transactions);
            T returned = body.apply(once);
            if (once.commit()) {
                return returned;
            }
            if (left > 1) {
                // Chance, so that those who met do not meet again.
                long pause = ThreadLocalRandom.current().nextLong(1 + TimeUnit.MILLISECONDS.toNanos(pauseMillis));
                LockSupport.parkNanos(pause);
                pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
            }
        }
        throw new ContentionException(mostTries);
    }
}
