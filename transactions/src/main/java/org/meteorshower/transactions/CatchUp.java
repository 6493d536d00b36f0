/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.Snapshots;

/** Asks others for decided entries that did not come by themselves, and gives them; or a snapshot where they are gone. */
final class CatchUp {
    private static final int PAGE = 500;
    private static final long PAGE_BYTES = 512 << 10;
    private static final long PATIENCE_MICROS = 60_000;
    private static final long ASK_AGAIN_MICROS = 250_000;
    private static final long HEARD_WITHIN_MICROS = 1_000_000;

    /** Asks for what nobody keeps: everything. */
    private static final long EVERYTHING = -1;

    private final Members members;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final Snapshots snapshots;
    private final long[] decidedBelow;
    private final long[] sinceMicros;
    private long askedForAllMicros;
    private int turnOf;

    CatchUp(Members members, Turn turn, Peers peers, List<Lane> lanes, Snapshots snapshots) {
        this.members = members;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.snapshots = snapshots;
        this.decidedBelow = new long[members.count()];
        this.sinceMicros = new long[members.count()];
    }

    void tick() {
        long now = turn.micros();
        if (!snapshots.isTablesUsable() && !snapshots.isBusy() && now - askedForAllMicros > 2 * ASK_AGAIN_MICROS) {
            askedForAllMicros = now;
            ask(0, EVERYTHING);
        }
        for (Lane lane : lanes) {
            int number = lane.number();
            long below = lane.log().decidedBelow();
            if (below > decidedBelow[number] || lane.furthestDecided() <= below) {
                decidedBelow[number] = below;
                sinceMicros[number] = now;
            } else if (now - sinceMicros[number] > PATIENCE_MICROS) {
                sinceMicros[number] = now + ASK_AGAIN_MICROS - PATIENCE_MICROS;
                ask(number, below);
            }
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

    /** As many of them as fit into a message, and at least one. */
    private static List<Entry> page(List<Entry> entries) {
        int count = 0;
        for (long bytes = 0; count < entries.size() && bytes < PAGE_BYTES; count++) {
            bytes += LogCodec.size(entries.get(count));
        }
        return entries.subList(0, count);
    }

    private static boolean isFull(List<Entry> page) {
        return page.size() == PAGE || page.stream().mapToLong(LogCodec::size).sum() >= PAGE_BYTES;
    }

    void received(int from, Message message) {
        if (message instanceof Message.Fetch fetch) {
            List<Entry> entries = lanes.get(fetch.lane()).log().entriesFrom(fetch.from(), PAGE);
            if (entries == null) {
                snapshots.askedBy(from);
            } else if (!entries.isEmpty()) {
                turn.send(from, new Message.Decided(fetch.lane(), fetch.from(), page(entries)));
            }
        } else if (message instanceof Message.Decided decided) {
            Lane lane = lanes.get(decided.lane());
            lane.learn(decided.from(), decided.entries());
            if (isFull(decided.entries())) {
                turn.send(from, new Message.Fetch(decided.lane(), lane.log().decidedBelow()));
            }
        }
    }
}
