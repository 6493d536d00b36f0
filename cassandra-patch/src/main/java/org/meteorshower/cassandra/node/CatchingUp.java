/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the door for clients shut while a node that starts gets what it missed, as fast as others can bring it:
 * requests that it took meanwhile would wait behind all that, for seconds. Drivers go to other nodes until it opens. It
 * opens all the same where it has come no closer for a while (others are down, or bring less than clients write), and
 * after a time that is set.
 */
final class CatchingUp {
    private static final Logger log = LoggerFactory.getLogger(CatchingUp.class);

    static final int PATIENCE_MILLIS = 10_000;

    /** What comes in pieces has pauses. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long COUNT_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Closer by less than this part is no closer: clients write meanwhile. */
    private static final int CLOSER = 10;

    private final BooleanSupplier isCatchingUp;
    private final IntSupplier lacking;
    private final long mostNanos;
    private final long patienceNanos;

    /**
     * @param isCatchingUp whether others bring this node more just now than they do now and then, or it does not hear
     *     enough of them yet
     * @param lacking how many mutations it has yet to get, of those that it knows of
     * @param mostMillis how long clients wait for that; 0: not at all
     * @param patienceMillis how long they wait while that number does not fall, by a tenth
     */
    CatchingUp(BooleanSupplier isCatchingUp, IntSupplier lacking, int mostMillis, int patienceMillis) {
        this.isCatchingUp = isCatchingUp;
        this.lacking = lacking;
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    /** Blocks the thread that opens the door. Where nothing is brought it returns at once, and also if interrupted. */
    void await() {
        Wait wait = new Wait();
        while (wait.goesOn() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        wait.tellEnd();
    }

    private final class Wait {
        private final long beganNanos = System.nanoTime();
        private long busyNanos = beganNanos - QUIET_NANOS;
        private long closerNanos = beganNanos;
        private long countedNanos = beganNanos - COUNT_EVERY_NANOS;
        private long toldNanos;
        private boolean told;

        /** The most that it lacked since it last came closer. */
        private int most;

        boolean goesOn() {
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= mostNanos) {
                return false;
            }
            if (isCatchingUp.getAsBoolean()) {
                busyNanos = nowNanos;
            } else if (nowNanos - busyNanos >= QUIET_NANOS) {
                return false;
            }
            if (nowNanos - countedNanos >= COUNT_EVERY_NANOS) {
                count(nowNanos);
            }
            return nowNanos - closerNanos < patienceNanos;
        }

        private void count(long nowNanos) {
            countedNanos = nowNanos;
            int now = lacking.getAsInt();
            if (now < most - most / CLOSER) {
                closerNanos = nowNanos;
                most = now;
            }
            most = Math.max(most, now); // it hears of more as it hears more of the others
            if (!told || nowNanos - toldNanos >= TELL_EVERY_NANOS) {
                told = true;
                toldNanos = nowNanos;
                log.info(
                        "MeteorShower: others bring this node what it missed, {} mutations that it knows of; it takes"
                                + " clients once it has that, after {} s at most (catch_up_ms)",
                        now,
                        TimeUnit.NANOSECONDS.toSeconds(mostNanos));
            }
        }

        void tellEnd() {
            if (told) {
                log.info(
                        "MeteorShower: it takes clients now, {} ms later than it would have; it lacks {}",
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos),
                        lacking.getAsInt());
            }
        }
    }
}
