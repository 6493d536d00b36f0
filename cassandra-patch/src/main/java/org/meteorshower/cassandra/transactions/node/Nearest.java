/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.function.IntPredicate;

/**
 * Which data centre of a group of lanes is asked by a node that is in none of them: the one by which answers came
 * soonest of late. One that was not asked for a while is asked once more, to see whether it has become nearer.
 * Thread-safe; pure, but for its lock: time is an argument, in nanoseconds of any origin.
 */
final class Nearest {
    static final long AGAIN_NANOS = 30_000_000_000L;
    private static final double WEIGHT = 1.0 / 8;

    /** Usual time to an answer; 0 where there was none. */
    private final double[] nanos;

    private final long[] asked;
    private final boolean[] ever;

    Nearest(int dcs) {
        nanos = new double[dcs];
        asked = new long[dcs];
        ever = new boolean[dcs];
    }

    /**
     * The number of the data centre to ask now; {@link DataCentres#NONE} where none can be.
     *
     * @param possible whether anybody is known there
     */
    synchronized int choose(IntPredicate possible, long now) {
        int best = DataCentres.NONE;
        for (int dc = 0; dc < nanos.length; dc++) {
            if (possible.test(dc)) {
                if (!ever[dc] || now - asked[dc] > AGAIN_NANOS) {
                    best = dc;
                    break;
                } else if (best == DataCentres.NONE || nanos[dc] < nanos[best]) {
                    best = dc;
                }
            }
        }
        if (best != DataCentres.NONE) {
            ever[best] = true;
            asked[best] = now;
        }
        return best;
    }

    /** An answer, or none, came after so long. */
    synchronized void took(int dc, long tookNanos) {
        nanos[dc] += nanos[dc] == 0 ? tookNanos : WEIGHT * (tookNanos - nanos[dc]);
    }
}
