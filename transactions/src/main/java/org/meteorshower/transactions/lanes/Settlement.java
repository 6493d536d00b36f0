/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.TreeSet;
import org.meteorshower.transactions.port.Durable;

/**
 * How far a lane's log on this disk holds what was decided, durably. Only from there on is what it holds a vote, that
 * may have lost; below it the log can be read as the lane, by this data centre when it executes and by who asks.
 */
final class Settlement {
    private final int lane;
    private final Durability durability;
    private final TreeSet<Long> ahead = new TreeSet<>();
    private long below;
    private long noted;

    /** @param below as it was noted last */
    Settlement(int lane, Durability durability, long below) {
        this.lane = lane;
        this.durability = durability;
        this.below = below;
        this.noted = below;
    }

    /** All positions below are settled. */
    long below() {
        return below;
    }

    /** The disk holds at this position what was decided. */
    void settled(long position) {
        if (position == below) {
            below++;
            while (ahead.remove(below)) {
                below++;
            }
        } else if (position > below) {
            ahead.add(position);
        }
    }

    /** A snapshot covers everything below the position; the log holds nothing there that could be read. */
    void skipTo(long position) {
        if (position > below) {
            below = position;
            ahead.headSet(position).clear();
            while (ahead.remove(below)) {
                below++;
            }
        }
    }

    /** Makes it known to the next process, which then reads no more of the log than what is above. */
    void note() {
        if (below > noted) {
            noted = below;
            durability.write(new Durable.Settled(lane, below), () -> {});
        }
    }
}
