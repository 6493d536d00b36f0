/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.List;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Settings;

/**
 * Decides when this data centre begins to pass over who leads a lane: much sooner than when it would take the lane over
 * by itself, since that costs the others one round trip, and the one that is passed over nothing but the way to who
 * leads now. Never decides anything that safety depends on.
 */
public final class Revoker {
    /** How many times sooner than by a takeover. */
    private static final int SOONER = 3;

    /** Who is told by a connection's end waits for half of that. */
    private static final int SEVERED_SOONER = 6;

    /** Pauses as long as so many times the takeover's floor are granted to who came back from one lately. */
    private static final int MOST_GRANTED = 2;

    /** Longer than that between two looks, and this data centre may have stood still itself. */
    private static final long LISTENS_MICROS = 30_000;

    /** On top of a round trip, for disks. */
    private static final long DISKS_MICROS = 50_000;

    private static final long HEARD_WITHIN_MICROS = 1_000_000;
    private static final long LONGEST_HORIZON_MICROS = 1_000_000;

    /** Entries that are told although all seem to know them, at most. */
    private static final long MOST_KNOWN = 400;

    private static final long MOST_KNOWN_BYTES = 1L << 20;

    private static final long NOT_YET = Long.MIN_VALUE / 2;

    private final Members members;
    private final Settings settings;
    private final Peers peers;
    private final List<Lane> lanes;
    private final Ways ways;
    private final OwnWays ownWays;
    private long begunMicros = NOT_YET;
    private long lookedMicros;
    private long listensSinceMicros = Long.MIN_VALUE / 2;

    /** What others know of time. */
    public interface Ways {
        /** The mean round trip to a data centre of late; 0 where it is not known. */
        long roundTripMicros(int dc);

        /** For how long something that clients here asked for, and that is decided, has waited for the lane alone. */
        long heldUpMicros(int lane);

        /** The highest epoch that was closed anywhere. */
        long closedEpoch();
    }

    Revoker(Members members, Settings settings, Peers peers, List<Lane> lanes, Ways ways, OwnWays ownWays) {
        this.members = members;
        this.settings = settings;
        this.peers = peers;
        this.lanes = lanes;
        this.ways = ways;
        this.ownWays = ownWays;
    }

    /** To be called before lanes are looked at. */
    void listens(long now) {
        long stoodStill = now - lookedMicros;
        if (begunMicros == NOT_YET) {
            begunMicros = now;
            listensSinceMicros = now;
        } else if (stoodStill > LISTENS_MICROS) {
            listensSinceMicros = Math.max(listensSinceMicros, now);
            peers.stoodStill(stoodStill, now);
        }
        lookedMicros = now;
    }

    /** Lanes doze. Who wakes them is answered by the furthest after a round trip. */
    void dozes(long now) {
        listensSinceMicros = now + ownWays.longestUsualMicros();
    }

    /** Begins, where it is time. */
    void look(Lane lane, long now) {
        if (isClosedAhead(lane)) {
            lane.suspicion().restart(now); // Nobody waits for it.
        }
        if (ownWays.areSlow()) {
            return; // All seem to be late from here.
        }
        long ballot = lane.leader().highestSeen();
        int suspect = Ballot.proposer(ballot);
        if (ballot == Ballot.NONE
                || suspect == members.self()
                || suspect >= members.count()
                || !isLate(lane, suspect, now)) {
            return;
        }
        int heir = heir(lane.number(), suspect, now);
        int quorum = quorum(lane.number(), suspect, heir, now);
        if (Revocation.isIn(quorum, members.self()) && Integer.bitCount(quorum) >= members.majority()) {
            long ahead = Math.min(LONGEST_HORIZON_MICROS, longestRoundTrip(quorum) + DISKS_MICROS);
            lane.revoke(
                    heir, quorum, knownBelow(lane, quorum), ways.closedEpoch() + ahead / settings.epochMicros() + 1);
        }
    }

    private boolean isClosedAhead(Lane lane) {
        long ahead = lane.log().decidedEpoch() - ways.closedEpoch();
        return ahead > 0 && ahead <= LONGEST_HORIZON_MICROS / settings.epochMicros() + 1;
    }

    private boolean isLate(Lane lane, int suspect, long now) {
        long least = settings.suspicionFloorMicros() / (peers.isSevered(suspect) ? SEVERED_SOONER : SOONER);
        if (!lane.suspicion().mayBeRevoked(now, 2 * ownWays.longestUsualMicros())
                || now - listensSinceMicros <= least) {
            return false;
        }
        long longer = standstillOfOthers(lane, suspect, now) + grantedMicros(suspect, least, now);
        return lane.suspicion().isLate(now, least + longer) || holdsUp(lane, 2 * least + longer);
    }

    /**
     * Whose connections stand may have stopped to collect garbage, say, for as long as anybody did lately who went on.
     * Of processes that have just started nobody knows yet.
     */
    private long grantedMicros(int suspect, long leastMicros, long now) {
        if (peers.isSevered(suspect)) {
            return 0;
        }
        long most = MOST_GRANTED * settings.suspicionFloorMicros();
        long pause = now - begunMicros < settings.settlingMicros() ? most : peers.longestStandstillMicros(now);
        return pause <= leastMicros ? 0 : Math.min(pause, most);
    }

    /** What others know to be decided, and was lost on its way here, is nobody's fault. */
    private boolean holdsUp(Lane lane, long mostMicros) {
        return lane.furthestDecided() <= lane.log().decidedBelow() && ways.heldUpMicros(lane.number()) > mostMicros;
    }

    /**
     * How long lanes of others, and the own one, stand still: of the one that does so least. Where none advances that
     * is not the suspect's doing.
     */
    private long standstillOfOthers(Lane suspected, int suspect, long now) {
        long least = Long.MAX_VALUE;
        for (Lane lane : lanes) {
            long ballot = lane.leader().highestSeen();
            if (lane != suspected && ballot != Ballot.NONE && Ballot.proposer(ballot) != suspect) {
                least = Math.min(least, lane.suspicion().standstillMicros(now));
            }
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }

    private long longestRoundTrip(int bits) {
        long longest = 0;
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && Revocation.isIn(bits, dc)) {
                longest = Math.max(longest, ways.roundTripMicros(dc));
            }
        }
        return longest;
    }

    /** The lane's owner, or the next after it: all choose the same. */
    private int heir(int lane, int suspect, long now) {
        for (int i = 0; i < members.count(); i++) {
            int dc = (lane + i) % members.count();
            if (isUsable(dc, suspect, now)) {
                return dc;
            }
        }
        return members.self();
    }

    private int quorum(int lane, int suspect, int heir, long now) {
        int bits = 1 << heir;
        for (int i = 0; i < members.count() && Integer.bitCount(bits) < members.majority(); i++) {
            int dc = (lane + i) % members.count();
            if (isUsable(dc, suspect, now)) {
                bits |= 1 << dc;
            }
        }
        return bits;
    }

    private boolean isUsable(int dc, int suspect, long now) {
        return dc != suspect
                && (dc == members.self()
                        || (peers.revokes(dc) && !peers.isSevered(dc) && peers.isHeard(dc, HEARD_WITHIN_MICROS, now)));
    }

    /** By what they said last. */
    private long knownBelow(Lane lane, int quorum) {
        long own = lane.log().decidedBelow();
        long below = own;
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && Revocation.isIn(quorum, dc)) {
                below = Math.min(below, peers.decidedBelow(dc, lane.number()));
            }
        }
        long from = Math.max(below, own - MOST_KNOWN);
        return lane.log().weight(from, own) <= MOST_KNOWN_BYTES ? from : own;
    }
}
