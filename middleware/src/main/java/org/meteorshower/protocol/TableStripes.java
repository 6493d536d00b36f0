/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Arrays;
import java.util.UUID;

/**
 * Sets of tables, as 64 bits: each table is in the one that its name's hash gives. Tables that share one are as one:
 * who is promised something for the one is waited for by writers of the other.
 */
public final class TableStripes {
    public static final long NONE = 0;
    public static final long ALL = ~0L;

    static final int COUNT = 64;

    private TableStripes() {}

    /** The set of this table alone. */
    public static long of(UUID table) {
        return 1L << indexOf(table);
    }

    static int indexOf(UUID table) {
        long mixed = (table.getMostSignificantBits() ^ table.getLeastSignificantBits()) * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 58);
    }

    /** A time for each set of one, which is in the past. */
    static long[] never() {
        long[] never = new long[COUNT];
        Arrays.fill(never, Long.MIN_VALUE);
        return never;
    }

    /** Those of the tables get this time, if it is later. */
    static void raise(long[] times, long tables, long to) {
        for (int i = 0; i < COUNT; i++) {
            if ((tables & 1L << i) != 0) {
                times[i] = Math.max(times[i], to);
            }
        }
    }

    /** The tables whose time is later. */
    static long after(long[] times, long than) {
        long tables = NONE;
        for (int i = 0; i < COUNT; i++) {
            tables |= times[i] > than ? 1L << i : NONE;
        }
        return tables;
    }
}
