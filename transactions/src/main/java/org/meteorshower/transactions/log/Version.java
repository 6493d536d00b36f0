/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

/**
 * The version that a transaction gives to what it writes: the number of its entry in the merged order, then its place
 * in the entry. No two transactions have the same. It is the write timestamp in the store.
 */
public final class Version {
    /** More submissions than this do not fit into one entry. */
    public static final int MOST_IN_AN_ENTRY = 4_096;

    private static final int INDEX_BITS = 12;

    private Version() {}

    /** Never 0, which stands for rows that no transaction has written. */
    public static long of(long number, int index) {
        return ((number + 1) << INDEX_BITS) | index;
    }

    /**
     * Of the entry that has this version, the place in the merged order, counted from 1; 0 for what was never written.
     * Enough to order what is written behind, since that is as of whole entries.
     */
    public static long entry(long version) {
        return version >> INDEX_BITS;
    }

    /** The first version of an entry, counted from 1. */
    public static long ofEntry(long entry) {
        return entry << INDEX_BITS;
    }

    /** The version below which lies what the first {@code count} merged entries wrote. */
    public static long endOf(long count) {
        return (count + 1) << INDEX_BITS;
    }
}
