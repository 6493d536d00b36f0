/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meteorshower.transactions.port.Members;

/**
 * How long round trips from this data centre use to take, and whether they are slower now: then it had better not take
 * its lane back, since all would wait for it. Usual is the lower quartile of some minutes: what was quicker for a
 * moment, while a node began perhaps, is not, and what is slow for most of them is.
 */
final class OwnWays {
    private static final int LOOKS = 300;
    private static final long BETWEEN_MICROS = 1_000_000;
    private static final long SLACK_MICROS = 50_000;

    private final Revoker.Ways ways;
    private final List<Way> all = new ArrayList<>();

    OwnWays(Members members, Revoker.Ways ways) {
        this.ways = ways;
        for (int dc = 0; dc < members.count(); dc++) {
            all.add(new Way());
        }
    }

    /** To one data centre. */
    private static final class Way {
        /** The last ones, in no order. */
        private final long[] seen = new long[LOOKS];

        private int count;
        private long nextMicros = Long.MIN_VALUE;
        private long usualMicros;

        void see(long roundTripMicros, long now) {
            if (roundTripMicros > 0 && now >= nextMicros) {
                nextMicros = now + BETWEEN_MICROS;
                seen[count++ % LOOKS] = roundTripMicros;
                long[] sorted = Arrays.copyOf(seen, Math.min(count, LOOKS));
                Arrays.sort(sorted);
                usualMicros = sorted[sorted.length / 4];
            }
        }
    }

    void look(long now) {
        for (int dc = 0; dc < all.size(); dc++) {
            all.get(dc).see(ways.roundTripMicros(dc), now);
        }
    }

    /** To any of the others; 0 where none is known. */
    long longestUsualMicros() {
        return all.stream().mapToLong(way -> way.usualMicros).max().orElse(0);
    }

    /** Whether all that are heard are further away than usual: then it is this data centre that is. */
    boolean areSlow() {
        int known = 0;
        int slow = 0;
        for (int dc = 0; dc < all.size(); dc++) {
            long roundTrip = ways.roundTripMicros(dc);
            if (roundTrip > 0) {
                known++;
                slow += roundTrip > 1.5 * all.get(dc).usualMicros + SLACK_MICROS ? 1 : 0;
            }
        }
        return known > 0 && slow == known;
    }
}
