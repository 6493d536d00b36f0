/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import java.util.OptionalLong;
import org.meteorshower.transactions.port.Turn;

/**
 * Says when epochs are closed: at their time on the aligned clock, less the offset; at once when a later epoch is seen
 * elsewhere; and at the latest 9/8 of a period after the last one, whatever the clocks do.
 */
public final class EpochCloser {
    /** Nothing is to be closed. */
    public static final long NOT_NOW = -1;

    private final Turn turn;
    private final PeerClocks clocks;
    private final long periodMicros;
    private long last;
    private long lastMicros;
    private long seen;
    private long merged;

    /** @param last the highest epoch that is known to have been closed anywhere */
    public EpochCloser(Turn turn, PeerClocks clocks, long periodMicros, long last) {
        this.turn = turn;
        this.clocks = clocks;
        this.periodMicros = periodMicros;
        this.last = last;
        this.seen = last;
    }

    /** An entry of this epoch stands in some lane. */
    public void seen(long epoch) {
        seen = Math.max(seen, epoch);
    }

    /**
     * An entry was merged with this effective epoch. Where that is above the entry's own, its lane has closed an epoch
     * twice, and would lag by one ever after: so the next closing goes beyond it. But it is no reason to close one:
     * closing makes effective epochs grow, and data centres that are near each other would close epochs as fast as
     * messages go.
     */
    public void merged(long effectiveEpoch) {
        merged = Math.max(merged, effectiveEpoch);
    }

    public long highestSeen() {
        return Math.max(Math.max(seen, merged), last);
    }

    /** The epoch to close now, which then counts as closed; or {@link #NOT_NOW}. */
    public long takeDue() {
        long own = NOT_NOW;
        OptionalLong aligned = clocks.alignedMicros();
        if (aligned.isPresent()) {
            own = Math.floorDiv(aligned.getAsLong() + clocks.offsetMicros(), periodMicros);
        }
        if (Math.max(own, seen) <= last && turn.micros() - lastMicros >= longestMicros()) {
            own = last + 1;
        }
        if (own > last) {
            own = Math.max(own, merged + 1);
        }
        long due = Math.max(own, seen);
        if (due <= last) {
            return NOT_NOW;
        }
        last = due;
        lastMicros = turn.micros();
        return due;
    }

    /**
     * The epoch to close because another data centre has closed it, which then counts as closed; or {@link #NOT_NOW}.
     */
    public long takeSeen() {
        if (seen <= last) {
            return NOT_NOW;
        }
        last = seen;
        lastMicros = turn.micros();
        return last;
    }

    /** In so long the next epoch is to be closed, as far as clocks say; at least 1. */
    public long dueInMicros() {
        long wait = longestMicros() - (turn.micros() - lastMicros);
        OptionalLong aligned = clocks.alignedMicros();
        if (aligned.isPresent()) {
            long at = (last + 1) * periodMicros - clocks.offsetMicros();
            wait = Math.min(wait, at - aligned.getAsLong());
        }
        return Math.max(1, wait);
    }

    private long longestMicros() {
        return periodMicros * 9 / 8;
    }
}
