/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.Checkpoints;
import org.meteorshower.transactions.storage.SnapshotGiver;

/**
 * Lets go what nobody needs of the lanes' logs on disk: what every data centre has executed durably, this one among
 * them. Who has not been heard for long is not waited for, nor anybody once the logs take too much; they will need a
 * snapshot.
 */
final class Truncation {
    private static final long LOOK_EVERY_MICROS = 500_000;

    /** By so large parts the oldest goes when logs take too much. */
    private static final int PARTS = 64;

    /** So far this data centre had executed durably when so much had been decided. */
    private record Mark(Checkpoint durable, long bytes) {}

    private final Members members;
    private final Settings settings;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final Checkpoints checkpoints;
    private final SnapshotGiver giver;

    /** Of what lies before the first mark of this process, in the logs on disk. */
    private final long bytesBefore;

    private final Deque<Mark> marks = new ArrayDeque<>();
    private Checkpoint tooLarge;
    private long startMicros = -1;
    private long lookedMicros;

    Truncation(
            Members members,
            Settings settings,
            Turn turn,
            Peers peers,
            List<Lane> lanes,
            Checkpoints checkpoints,
            SnapshotGiver giver,
            long bytesBefore) {
        this.members = members;
        this.settings = settings;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.checkpoints = checkpoints;
        this.giver = giver;
        this.bytesBefore = bytesBefore;
        this.tooLarge = Checkpoint.first(members.count());
        marks.add(new Mark(checkpoints.done(), 0));
    }

    void tick() {
        if (startMicros < 0) {
            startMicros = turn.micros();
        }
        if (turn.micros() - lookedMicros < LOOK_EVERY_MICROS) {
            return;
        }
        lookedMicros = turn.micros();
        mark();
        for (Lane lane : lanes) {
            lane.noteSettled();
            lane.truncate(Math.min(lane.settledBelow(), floor(lane.number())));
        }
    }

    /** About how many bytes the logs take on disk. */
    long logBytes() {
        return written() - marks.getFirst().bytes();
    }

    private long written() {
        long bytes = bytesBefore;
        for (Lane lane : lanes) {
            bytes += lane.log().decidedBytes();
        }
        return bytes;
    }

    private void mark() {
        long most = settings.budget().logBytes();
        long bytes = written();
        if (bytes - marks.getLast().bytes() > most / PARTS) {
            marks.add(new Mark(checkpoints.done(), bytes));
        }
        // What lies between the first two marks is the oldest part.
        while (marks.size() > 1 && bytes - marks.getFirst().bytes() > most) {
            marks.removeFirst();
            tooLarge = marks.getFirst().durable();
        }
    }

    private long floor(int lane) {
        long own = checkpoints.done().positions().get(lane);
        long floor = Math.min(own, giver.oldestPinned(lane));
        // A process that has just begun has heard nobody, which says nothing of them.
        boolean isNew = turn.micros() - startMicros < settings.deadMicros();
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && (isNew || peers.isHeard(dc, settings.deadMicros(), turn.micros()))) {
                floor = Math.min(floor, peers.durableBelow(dc, lane));
            }
        }
        return Math.min(own, Math.max(floor, tooLarge.positions().get(lane)));
    }
}
