/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Bounded waiting by looking again and again. */
final class Waiting {
    private static final long PAUSE_MILLIS = 50;

    private Waiting() {}

    /** Whether the condition came true in time. Throws {@link ClusterException} when interrupted. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("interrupted while waiting", e);
            }
        }
        return true;
    }
}
