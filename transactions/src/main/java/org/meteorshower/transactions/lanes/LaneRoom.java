/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

/** What a lane may take of memory, and what of it is for whom. */
final class LaneRoom {
    private final long mostBytes;
    private final LaneLog log;
    private final Settlement settlement;
    private final LaneLeader leader;

    LaneRoom(long mostBytes, LaneLog log, Settlement settlement, LaneLeader leader) {
        this.mostBytes = mostBytes;
        this.log = log;
        this.settlement = settlement;
        this.leader = leader;
    }

    /**
     * Whether what is proposed for the position can be held. Who lags far has no use for it: it would be held until all
     * before it is known, and half of the room is for that. The others decide without this vote, and tell of it when
     * its turn comes. What a leader has under way always fits, whatever is held beyond it, unless this disk does not
     * keep up.
     */
    boolean hasFor(long position) {
        return position <= log.decidedBelow() + LaneLog.MOST_AHEAD
                && (log.weight() < mostBytes / 2 || log.weight(settlement.below(), position) < mostBytes / 4);
    }

    /**
     * Whether more decided entries can be taken in. However much is proposed beyond them, a few always can: all that is
     * beyond waits for the first that is missing.
     */
    boolean hasToLearn() {
        return log.weight() < mostBytes * 5 / 8 || log.weight(log.start(), log.decidedBelow()) < mostBytes / 4;
    }

    /** Whether so much is proposed and not decided that nothing more should be. */
    boolean isFull() {
        return leader.undecidedBytes() > mostBytes / 4;
    }

    void letGo(long executedBelow) {
        log.letGo(settlement.below(), executedBelow, mostBytes / 8, mostBytes / 2);
    }
}
