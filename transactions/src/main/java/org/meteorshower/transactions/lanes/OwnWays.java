/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.Arrays;
import org.meteorshower.transactions.port.Members;

/**
 * How long round trips from this data centre use to take, and whether they are slower now: then it had better not take
 * its lane back, since all would wait for it. What is slow for some ten minutes is usual.
 */
final class OwnWays {
    private static final double FORGOTTEN_MICROS = 600e6;
    private static final long SLACK_MICROS = 50_000;

    private final Revoker.Ways ways;
    private final double[] usualMicros;
    private long lookedMicros = Long.MIN_VALUE;

    OwnWays(Members members, Revoker.Ways ways) {
        this.ways = ways;
        this.usualMicros = new double[members.count()];
    }

    void look(long now) {
        double share = lookedMicros == Long.MIN_VALUE ? 0 : Math.min(1, (now - lookedMicros) / FORGOTTEN_MICROS);
        lookedMicros = now;
        for (int dc = 0; dc < usualMicros.length; dc++) {
            long roundTrip = ways.roundTripMicros(dc);
            double usual = usualMicros[dc];
            if (roundTrip > 0) {
                usualMicros[dc] = usual == 0 || roundTrip < usual ? roundTrip : usual + share * (roundTrip - usual);
            }
        }
    }

    /** To any of the others; 0 where none is known. */
    long longestUsualMicros() {
        return (long) Arrays.stream(usualMicros).max().orElse(0);
    }

    /** Whether all that are heard are further away than usual: then it is this data centre that is. */
    boolean areSlow() {
        int known = 0;
        int slow = 0;
        for (int dc = 0; dc < usualMicros.length; dc++) {
            long roundTrip = ways.roundTripMicros(dc);
            if (roundTrip > 0) {
                known++;
                slow += roundTrip > 1.5 * usualMicros[dc] + SLACK_MICROS ? 1 : 0;
            }
        }
        return known > 0 && slow == known;
    }
}
