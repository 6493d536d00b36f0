/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.LogReads;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.SnapshotGiver;
import org.meteorshower.transactions.storage.SnapshotTaker;

/**
 * Asks others for decided entries that did not come by themselves, a page at a time and no more than there is room for;
 * and gives them, from memory or from the log on disk, or offers a snapshot where they are gone.
 */
final class CatchUp {
    private static final long PATIENCE_MICROS = 60_000;
    private static final long GAP_PATIENCE_MICROS = 10_000;
    private static final long ASK_AGAIN_MICROS = 250_000;
    private static final long HEARD_WITHIN_MICROS = 1_000_000;

    /** Asks for what nobody keeps: everything. */
    private static final long EVERYTHING = -1;

    private final Members members;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final LogReads reads;
    private final SnapshotGiver giver;
    private final SnapshotTaker taker;
    private final long[] decidedBelow;
    private final long[] sinceMicros;

    /** By lane, since when a proposal is missing while later ones have come; 0 where none is. */
    private final long[] gapMicros;

    private long askedForAllMicros;
    private int turnOf;

    CatchUp(
            Members members,
            Turn turn,
            Peers peers,
            List<Lane> lanes,
            LogReads reads,
            SnapshotGiver giver,
            SnapshotTaker taker) {
        this.members = members;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.reads = reads;
        this.giver = giver;
        this.taker = taker;
        this.decidedBelow = new long[members.count()];
        this.gapMicros = new long[members.count()];
        this.sinceMicros = new long[members.count()];
    }

    void tick() {
        long now = turn.micros();
        if (!taker.isUsable() && !taker.isBusy() && now - askedForAllMicros > 2 * ASK_AGAIN_MICROS) {
            askedForAllMicros = now;
            ask(0, EVERYTHING);
        }
        for (Lane lane : lanes) {
            int number = lane.number();
            long below = lane.log().decidedBelow();
            lookForGap(lane, below, now);
            if (below > decidedBelow[number] || lane.furthestDecided() <= below) {
                decidedBelow[number] = below;
                sinceMicros[number] = now;
            } else if (now - sinceMicros[number] > PATIENCE_MICROS && lane.hasRoomToLearn()) {
                sinceMicros[number] = now + ASK_AGAIN_MICROS - PATIENCE_MICROS;
                ask(number, below);
            }
        }
    }

    /** What was proposed, and was lost on its way here, is mostly decided before who leads the lane is asked for it. */
    private void lookForGap(Lane lane, long below, long now) {
        int number = lane.number();
        int leader = lane.leaderElsewhere();
        if (below > decidedBelow[number] || !lane.log().lacksProposal()) {
            gapMicros[number] = 0;
        } else if (gapMicros[number] == 0) {
            gapMicros[number] = now;
        } else if (now - gapMicros[number] > GAP_PATIENCE_MICROS && leader >= 0 && lane.hasRoomToLearn()) {
            gapMicros[number] = now + ASK_AGAIN_MICROS - GAP_PATIENCE_MICROS;
            turn.sendTwice(leader, new Message.Fetch(number, below));
        }
    }

    /** One that is heard and is further, another one each time. */
    private void ask(int lane, long from) {
        for (int i = 0; i < members.count(); i++) {
            turnOf = (turnOf + 1) % members.count();
            if (turnOf != members.self()
                    && peers.isHeard(turnOf, HEARD_WITHIN_MICROS, turn.micros())
                    && peers.decidedBelow(turnOf, lane) > from) {
                turn.send(turnOf, new Message.Fetch(lane, from));
                return;
            }
        }
    }

    void received(int to, Message.Fetch fetch) {
        Lane lane = lanes.get(fetch.lane());
        List<Entry> held = lane.log().entriesFrom(fetch.from(), reads.pageBytes());
        if (held != null) {
            lane.proposeAgain(to, fetch.from());
            tell(to, fetch.lane(), fetch.from(), held);
        } else if (isOnDisk(lane, fetch.from())) {
            var unused = reads.read(fetch.lane(), fetch.from(), lane.settledBelow(), (at, read) -> {
                if (read.isEmpty()) {
                    offer(to);
                } else {
                    tell(to, fetch.lane(), at, read);
                }
            });
        } else {
            offer(to);
        }
    }

    /** What is settled can be told as decided; above it the log holds votes, of which some may have lost. */
    private static boolean isOnDisk(Lane lane, long position) {
        return position >= 0 && position < lane.settledBelow();
    }

    private void tell(int to, int lane, long from, List<Entry> entries) {
        if (!entries.isEmpty()) {
            turn.send(to, new Message.Decided(lane, from, entries));
        }
    }

    private void offer(int to) {
        if (taker.isUsable()) {
            giver.askedBy(to);
        }
    }

    /**
     * Asks for the next page at once, where that was news and there is more. What comes without room, since an earlier
     * process asked for it or the room has been taken meanwhile, is asked for again.
     */
    void received(int from, Message.Decided decided) {
        Lane lane = lanes.get(decided.lane());
        if (!lane.hasRoomToLearn()) {
            return;
        }
        long before = lane.log().decidedBelow();
        lane.learn(decided.from(), decided.entries());
        long below = lane.log().decidedBelow();
        if (below > before && below < peers.decidedBelow(from, lane.number()) && lane.hasRoomToLearn()) {
            sinceMicros[lane.number()] = turn.micros();
            turn.send(from, new Message.Fetch(lane.number(), below));
        }
    }
}
