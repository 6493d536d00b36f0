/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.clocks.Lateness;
import org.meteorshower.transactions.clocks.Lead;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Message;

/** Follows how far each lane is decided, and so how long what clients have asked for here waits for which lane. */
final class Waits {
    private final int self;
    private final List<Lane> lanes;
    private final Lead lead;
    private final Lateness lateness;

    /** By lane: up to where it was looked at, and the effective epoch of the entry before. */
    private final long[] positions;

    private final long[] epochs;

    Waits(int self, List<Lane> lanes, Lead lead, Lateness lateness) {
        this.self = self;
        this.lanes = lanes;
        this.lead = lead;
        this.lateness = lateness;
        this.positions = new long[lanes.size()];
        this.epochs = new long[lanes.size()];
    }

    void look() {
        for (Lane lane : lanes) {
            int number = lane.number();
            long below = lane.log().decidedBelow();
            positions[number] = Math.max(positions[number], lane.log().start());
            if (positions[number] < below) {
                boolean isOwners = true;
                for (; positions[number] < below; positions[number]++) {
                    Entry entry = lane.log().decided(positions[number]);
                    isOwners &= entry != null && follow(number, entry);
                }
                tell(number, isOwners);
            }
        }
    }

    /** Returns whether the lane's owner has proposed it. */
    private boolean follow(int lane, Entry entry) {
        epochs[lane] = Math.max(entry.epoch(), epochs[lane] + 1);
        boolean isOwners = Ballot.proposer(entry.origin()) == lane;
        if (lane == self && isOwners && !entry.submissions().isEmpty()) {
            lateness.ownClosed(epochs[lane], lead.earlyMicros(entry.epoch()));
        }
        return isOwners;
    }

    private void tell(int lane, boolean isOwners) {
        if (!isOwners) {
            lateness.forget(lane);
        } else if (lane != self) {
            lateness.closed(lane, epochs[lane]);
        }
    }

    /** For how long what clients have asked for here, and is decided, waits for the lane. */
    long heldUpMicros(int lane) {
        return lateness.heldUpMicros(lane);
    }

    /** How late the data centre's lane was since it was last told; null where nobody waited. */
    Message.@Nullable Margin take(int dc) {
        return lateness.take(dc);
    }
}
