/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the door for clients shut while a node that starts gets what it missed, as fast as others can bring it:
 * requests that it took meanwhile would wait behind all that, for seconds. Drivers go to other nodes until it opens.
 * For a while only: a node that missed much serves its clients before it has it all.
 */
final class CatchingUp {
    private static final Logger log = LoggerFactory.getLogger(CatchingUp.class);

    /** What comes in pieces has pauses. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BooleanSupplier isCatchingUp;
    private final long mostNanos;

    /**
     * @param isCatchingUp whether others bring this node more just now than they do now and then, or it does not hear
     *     enough of them yet
     * @param mostMillis how long clients wait for that; 0: not at all
     */
    CatchingUp(BooleanSupplier isCatchingUp, int mostMillis) {
        this.isCatchingUp = isCatchingUp;
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    /** Blocks the thread that opens the door. Where nothing is brought it returns at once, and also if interrupted. */
    void await() {
        long beganNanos = System.nanoTime();
        long lastNanos = beganNanos - QUIET_NANOS;
        boolean told = false;
        long nowNanos = beganNanos;
        while (nowNanos - beganNanos < mostNanos) {
            if (isCatchingUp.getAsBoolean()) {
                lastNanos = nowNanos;
            } else if (nowNanos - lastNanos >= QUIET_NANOS) {
                break;
            }
            if (!told) {
                told = true;
                log.info(
                        "MeteorShower: this node hears from the others what it missed; it takes clients once it has that, after {} s"
                                + " at most (catch_up_ms)",
                        TimeUnit.NANOSECONDS.toSeconds(mostNanos));
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            nowNanos = System.nanoTime();
        }
        if (told) {
            log.info(
                    "MeteorShower: it takes clients now, {} ms later than it would have",
                    TimeUnit.NANOSECONDS.toMillis(nowNanos - beganNanos));
        }
    }
}
