/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.Checkpoints;

/**
 * Lets go what nobody needs of the lanes: what every data centre has executed durably, this one among them. Who has not been heard
 * for long is not waited for, and will need a snapshot.
 */
final class Truncation {
    private static final long LOOK_EVERY_MICROS = 500_000;

    private final Members members;
    private final Settings settings;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final Checkpoints checkpoints;
    private long startMicros = -1;
    private long lookedMicros;

    Truncation(Members members, Settings settings, Turn turn, Peers peers, List<Lane> lanes, Checkpoints checkpoints) {
        this.members = members;
        this.settings = settings;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.checkpoints = checkpoints;
    }

    void tick() {
        if (startMicros < 0) {
            startMicros = turn.micros();
        }
        if (turn.micros() - lookedMicros < LOOK_EVERY_MICROS) {
            return;
        }
        lookedMicros = turn.micros();
        for (Lane lane : lanes) {
            lane.truncate(floor(lane.number()));
        }
    }

    private long floor(int lane) {
        long floor = checkpoints.done().positions().get(lane);
        // A process that has just begun has heard nobody, which says nothing of them.
        boolean isNew = turn.micros() - startMicros < settings.deadMicros();
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && (isNew || peers.isHeard(dc, settings.deadMicros(), turn.micros()))) {
                floor = Math.min(floor, peers.durableBelow(dc, lane));
            }
        }
        return floor;
    }
}
