/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/**
 * Decides when this data centre tries to lead a lane: its own when it starts and when it is back, another's when that
 * stands still although a majority is heard. Never decides anything that safety depends on.
 */
public final class Leadership {
    private static final long HEARD_WITHIN_MICROS = 1_000_000;
    private static final long LAG_MICROS = 1_000_000;
    private static final long FIRST_WAIT_MICROS = 500_000;

    /** How many times sooner a lane is taken over from one with whom no connection stands. */
    private static final int SEVERED_SOONER = 6;

    private static final long LONGEST_WAIT_MICROS = 30_000_000;

    private final Members members;
    private final Settings settings;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final BooleanSupplier ready;
    private final BooleanSupplier dozing;
    private final Revoker revoker;
    private final OwnWays ownWays;

    private long keptUpSince = Long.MAX_VALUE;
    private long notBefore;
    private long ownWaitMicros = FIRST_WAIT_MICROS;
    private long leadingSince;
    private boolean wasLeading;
    private long tickedMicros = Long.MAX_VALUE;

    /**
     * @param ready whether this data centre takes part in full
     * @param dozing whether lanes stand still because nobody asks for anything
     * @param ways how far the others are
     */
    public Leadership(
            Members members,
            Settings settings,
            Turn turn,
            Peers peers,
            List<Lane> lanes,
            BooleanSupplier ready,
            BooleanSupplier dozing,
            Revoker.Ways ways) {
        this.members = members;
        this.settings = settings;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.ready = ready;
        this.dozing = dozing;
        this.ownWays = new OwnWays(members, ways);
        this.revoker = new Revoker(members, settings, peers, lanes, ways, ownWays);
    }

    public void tick() {
        long now = turn.micros();
        revoker.listens(now);
        ownWays.look(now);
        if (!ready.getAsBoolean() || !peers.isMajorityHeard(HEARD_WITHIN_MICROS, now)) {
            // Silence says nothing of a lane where nobody is heard.
            lanes.forEach(lane -> lane.suspicion().restart(now));
            keptUpSince = Long.MAX_VALUE;
            return;
        }
        noteWhetherKeptUp(now);
        // Who stood still itself has not listened meanwhile.
        boolean listened = hasListened();
        tickedMicros = now;
        if (dozing.getAsBoolean()) {
            revoker.dozes(now);
        }
        if (dozing.getAsBoolean() || !listened) {
            lanes.forEach(lane -> lane.suspicion().restart(now));
        }
        for (Lane lane : lanes) {
            if (lane.leader().isFollowing() && !dozing.getAsBoolean() && listened && isNear(lane)) {
                revoker.look(lane, now);
            }
            boolean isFollowing = lane.leader().isFollowing();
            if (isFollowing && lane.number() == members.self()) {
                takeBack(lane, now);
            } else if (isFollowing
                    && lane.suspicion().isSilent(now, floorMicros(lane), graceMicros(lane, now))
                    && isNear(lane)) {
                lane.leader().begin();
            }
        }
    }

    /** Where the lane stands still, and the connection with who leads it has ended, little more is waited for. */
    private long floorMicros(Lane lane) {
        return isLeaderSevered(lane)
                ? settings.suspicionFloorMicros() / SEVERED_SOONER
                : settings.suspicionFloorMicros();
    }

    private boolean isLeaderSevered(Lane lane) {
        long ballot = lane.leader().highestSeen();
        return ballot != Ballot.NONE && peers.isSevered(Ballot.proposer(ballot));
    }

    /** One after the other; and later where the one that leads may be slow rather than dead. */
    private long graceMicros(Lane lane, long now) {
        long ballot = lane.leader().highestSeen();
        boolean maybeSlow = ballot != Ballot.NONE && !isLeaderSevered(lane);
        return settings.staggerMicros() * members.rankFor(lane.number())
                + (maybeSlow ? slownessMicros(Ballot.proposer(ballot), now) : 0)
                + ownStandstillMicros(now);
    }

    /** What is granted to one that is heard, and to one that has come back lately from a silence. */
    private long slownessMicros(int leader, long now) {
        boolean isHeard = peers.isHeard(leader, 3 * settings.progressMicros(), now);
        long pause = peers.longestPauseMicros(leader, now);
        return (isHeard ? 2 * settings.suspicionFloorMicros() : 0)
                + (pause > settings.suspicionFloorMicros() ? pause : 0);
    }

    /** Whether this data centre has not stood still itself of late: else silence is its own. */
    public boolean hasListened() {
        return turn.micros() - tickedMicros <= settings.suspicionFloorMicros() / 2;
    }

    /**
     * What this data centre proposes itself, and a majority does not make durable, says that all are slow: for so long
     * another lane's silence says nothing of who leads that, and nobody else would be quicker.
     */
    private long ownStandstillMicros(long now) {
        Lane own = lanes.get(members.self());
        return own.isLed() ? own.suspicion().standstillMicros(now) : 0;
    }

    private void noteWhetherKeptUp(long now) {
        if (!lanes.stream().allMatch(this::isNear) || ownWays.areSlow()) {
            keptUpSince = Long.MAX_VALUE;
        } else if (keptUpSince == Long.MAX_VALUE) {
            keptUpSince = now;
        }
        boolean leads = lanes.get(members.self()).isLed();
        if (wasLeading && !leads) {
            waitLonger(now);
        }
        wasLeading = leads;
        if (!leads) {
            leadingSince = now;
        } else if (now - leadingSince > LONGEST_WAIT_MICROS) {
            ownWaitMicros = FIRST_WAIT_MICROS;
        }
    }

    /**
     * Whether it knows about as much of what is decided as those who are heard. What others once knew does not count:
     * they may all have died since, and then only a new leader can find it again, in what was accepted.
     */
    private boolean isNear(Lane lane) {
        long below = lane.log().decidedBelow();
        long furthest = below;
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && peers.isHeard(dc, HEARD_WITHIN_MICROS, turn.micros())) {
                furthest = Math.max(furthest, peers.decidedBelow(dc, lane.number()));
            }
        }
        return furthest - below <= LAG_MICROS / settings.epochMicros();
    }

    private void takeBack(Lane own, long now) {
        long highest = own.leader().highestSeen();
        boolean led = highest != Ballot.NONE && Ballot.proposer(highest) != members.self();
        boolean keptUp = keptUpSince != Long.MAX_VALUE && now - keptUpSince >= (led ? settings.handBackMicros() : 0);
        if (keptUp && now >= notBefore) {
            notBefore = now + ownWaitMicros;
            own.leader().begin();
        }
    }

    /** Another one has been let lead in its place: each time it waits twice as long before it takes the lane back. */
    private void waitLonger(long now) {
        notBefore = Math.max(notBefore, now + ownWaitMicros);
        ownWaitMicros = Math.min(LONGEST_WAIT_MICROS, 2 * ownWaitMicros);
    }
}
