/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.concurrent.TimeUnit;

/**
 * A phase under way. Immutable.
 *
 * @param phase what it is
 * @param measureNanos operations that start from then on are measured
 * @param endNanos none starts from then on
 * @param stats where they are counted
 */
record PhaseWindow(Phase phase, long measureNanos, long endNanos, ModeStats stats) {
    static PhaseWindow starting(Phase phase, long nowNanos, ModeStats stats) {
        long settled = nowNanos + TimeUnit.MILLISECONDS.toNanos(phase.settleMillis());
        return new PhaseWindow(phase, settled, settled + TimeUnit.MILLISECONDS.toNanos(phase.measureMillis()), stats);
    }

    boolean isMeasured(long startNanos) {
        return startNanos - measureNanos >= 0 && isOpen(startNanos);
    }

    boolean isOpen(long nowNanos) {
        return nowNanos - endNanos < 0;
    }
}
