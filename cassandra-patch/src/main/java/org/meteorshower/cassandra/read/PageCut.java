/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.service.pager.PagingState;
import org.jspecify.annotations.Nullable;

/**
 * The cut of a scan's page, as the paging state carries it to the next one, whichever coordinator that goes to. It has
 * the place of how many rows of the last partition are left under PER PARTITION LIMIT, which scans that are served do
 * not have. Whoever takes it for that, as Cassandra does where the table's options have changed meanwhile, reads a
 * number that no partition comes near.
 *
 * <p>30 bits of milliseconds: they say when, within six days of now.
 */
final class PageCut {
    private static final int NONE = Integer.MAX_VALUE;
    private static final int MARK = 1 << 30;
    private static final int BITS = MARK - 1;

    private PageCut() {}

    /** The state of a page that was read at this cut. */
    static PagingState stamped(PagingState state, long cutMicros) {
        int bits = (int) (Math.floorDiv(cutMicros + 999, 1_000L) & BITS);
        return with(state, MARK | (bits == BITS ? 0 : bits)); // that one means none; a millisecond later will do
    }

    /** The state as Cassandra's pagers know it. */
    static @Nullable PagingState without(@Nullable PagingState state) {
        return state == null ? null : with(state, NONE);
    }

    private static PagingState with(PagingState state, int leftInPartition) {
        return new PagingState(state.partitionKey, state.rowMark, state.remaining, leftInPartition);
    }

    /**
     * The cut of the page before, by the client's word; 0 where there is none.
     *
     * @param nowMillis on the wall clock
     */
    static long microsOf(@Nullable PagingState state, long nowMillis) {
        if (state == null || state.remainingInPartition < MARK || state.remainingInPartition == NONE) {
            return 0;
        }
        long ahead = (state.remainingInPartition - nowMillis) & BITS;
        return 1_000 * (nowMillis + (ahead < MARK / 2 ? ahead : ahead - MARK));
    }
}
