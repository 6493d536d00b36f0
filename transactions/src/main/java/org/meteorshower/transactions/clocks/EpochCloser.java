/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import java.util.OptionalLong;
import org.meteorshower.transactions.port.Turn;

/**
 * Says when epochs are closed: at their time on the aligned clock, less half a round trip and the {@link Lead}; at once
 * when a later epoch is seen elsewhere that is not far ahead of that clock; and at the latest 9/8 of a period after the
 * last one, whatever the clocks do.
 */
public final class EpochCloser {
    /** Nothing is to be closed. */
    public static final long NOT_NOW = -1;

    private static final long FAR_MICROS = 2 * Lead.LONGEST_MICROS;

    private final Turn turn;
    private final PeerClocks clocks;
    private final Lead lead;
    private final long periodMicros;
    private final long toleranceMicros;
    private long last;
    private long lastMicros;
    private long seen;
    private long merged;

    /**
     * @param toleranceMicros how far clocks may be from one another
     * @param last the highest epoch that is known to have been closed anywhere
     */
    public EpochCloser(Turn turn, PeerClocks clocks, Lead lead, long periodMicros, long toleranceMicros, long last) {
        this.turn = turn;
        this.clocks = clocks;
        this.lead = lead;
        this.periodMicros = periodMicros;
        this.toleranceMicros = toleranceMicros;
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
            own = Math.floorDiv(aligned.getAsLong() + aheadMicros(), periodMicros);
        }
        long followed = followed(aligned);
        if (Math.max(own, followed) <= last && turn.micros() - lastMicros >= longestMicros()) {
            own = last + 1;
        }
        if (own > last) {
            own = Math.max(own, merged + 1);
        }
        long due = Math.max(own, followed);
        return due <= last ? NOT_NOW : close(due, aligned);
    }

    /**
     * As far as others are followed. Clocks are near each other, so who is somewhat further ahead wants to be: it may
     * be slow, and closes its epochs early for that. If others went with it, it would be late again. Who is further
     * ahead than anybody wants to be has seen other clocks.
     */
    private long followed(OptionalLong aligned) {
        if (aligned.isEmpty()) {
            return seen;
        }
        long most = Math.floorDiv(aligned.getAsLong() + clocks.offsetMicros() + toleranceMicros, periodMicros);
        return isFar(Math.max(seen, last) - most) ? seen : Math.min(seen, most);
    }

    private boolean isFar(long epochs) {
        return epochs > FAR_MICROS / periodMicros;
    }

    private long close(long epoch, OptionalLong aligned) {
        last = epoch;
        lastMicros = turn.micros();
        if (aligned.isPresent()) {
            lead.closed(epoch, aligned.getAsLong(), clocks.offsetMicros());
        }
        return epoch;
    }

    /** By so much a lane closes its epochs before they have passed. */
    private long aheadMicros() {
        long usual = clocks.offsetMicros();
        return usual + lead.beyondMicros(usual);
    }

    /**
     * The epoch to close because another data centre has closed it, which then counts as closed; or {@link #NOT_NOW}.
     */
    public long takeSeen() {
        return seen <= last ? NOT_NOW : close(seen, clocks.alignedMicros());
    }

    /** In so long the next epoch is to be closed, as far as clocks say; at least 1. */
    public long dueInMicros() {
        long wait = longestMicros() - (turn.micros() - lastMicros);
        OptionalLong aligned = clocks.alignedMicros();
        if (aligned.isPresent()) {
            long at = (last + 1) * periodMicros - aheadMicros();
            wait = Math.min(wait, at - aligned.getAsLong());
        }
        return Math.max(1, wait);
    }

    private long longestMicros() {
        return periodMicros * 9 / 8;
    }
}
