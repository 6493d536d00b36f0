/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

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
}
