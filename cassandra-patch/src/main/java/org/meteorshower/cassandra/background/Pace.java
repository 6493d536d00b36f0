/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Work that is done in steps, with rests between them as long as clients need it to. For one thread, which works where
 * it does not wait in {@link #next}.
 */
final class Pace {
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final long LONGEST_REST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final DoubleSupplier share;
    private boolean begun;
    private long beganNanos;

    /** @param share of its full speed that the work may have now, above 0 and up to 1; asked again while it rests */
    Pace(DoubleSupplier share) {
        this.share = share;
    }

    /** To be called before each step: rests for what the one before took. */
    void next() throws InterruptedException {
        if (begun) {
            rest(System.nanoTime() - beganNanos);
        }
        begun = true;
        beganNanos = System.nanoTime();
    }

    private void rest(long workedNanos) throws InterruptedException {
        long restsFromNanos = System.nanoTime();
        while (true) {
            double wanted = workedNanos * (1 / share.getAsDouble() - 1);
            long leftNanos =
                    (long) Math.min(wanted, (double) LONGEST_REST_NANOS) - (System.nanoTime() - restsFromNanos);
            if (leftNanos <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MILLIS)));
        }
    }
}
