/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Bounded waiting for what a cluster does in its own time. */
final class Waiting {
    private static final long PAUSE_MILLIS = 100;

    private Waiting() {}

    /** Tries until it neither fails nor throws; the last failure is thrown when the time is over. */
    static void until(Duration limit, ThrowingCallable check) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                check.call();
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Throwable e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new AssertionError("still so after " + limit.toSeconds() + " s: " + e, e);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Waits until all counts have grown by at least this much from now on. */
    static void untilGrown(Duration limit, long by, List<LongSupplier> counts) throws InterruptedException {
        List<Long> enough = counts.stream().map(count -> count.getAsLong() + by).toList();
        for (int i = 0; i < counts.size(); i++) {
            LongSupplier count = counts.get(i);
            long least = enough.get(i);
            until(limit, () -> assertThat(count.getAsLong()).isGreaterThanOrEqualTo(least));
        }
    }
}
