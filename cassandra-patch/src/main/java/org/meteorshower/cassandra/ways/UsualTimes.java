/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import java.util.Arrays;

/** Which time 95 % of the last 64 answers took at most. Microseconds; not thread-safe. */
final class UsualTimes {
    private static final int KEPT = 64;

    /** Before so many were seen, none is known to be usual. */
    static final int LEARNED_AFTER = 16;

    /** So many answers are looked at together: sorting costs about a microsecond. */
    private static final int LOOKED_AT_EVERY = 8;

    private final long[] micros = new long[KEPT];
    private int seen;
    private long p95Micros = -1;

    void add(long answeredAfterMicros) {
        micros[seen % KEPT] = answeredAfterMicros;
        seen++;
        if (seen % LOOKED_AT_EVERY == 0 && seen >= LEARNED_AFTER) {
            long[] sorted = Arrays.copyOf(micros, Math.min(seen, KEPT));
            Arrays.sort(sorted);
            p95Micros = sorted[(int) Math.ceil(0.95 * sorted.length) - 1];
        }
        if (seen == 2 * KEPT) {
            seen = KEPT; // the same place in the ring, and no end of it
        }
    }

    /** -1 before it is learned. */
    long p95Micros() {
        return p95Micros;
    }
}
