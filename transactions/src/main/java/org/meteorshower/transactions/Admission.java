/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.Arrays;
import java.util.List;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.Checkpoints;

/**
 * How much this data centre proposes. What is decided must be executed and written to the tables by all that count, so
 * nobody proposes more than the slowest of them gets there: above some lag less and less, in the end a trickle. A data
 * centre that lags more than can be waited for does not count any more, until it has caught up, for which it is left
 * room ({@link CatchUpRoom}); the fastest majority always counts. Decides nothing that safety depends on.
 */
final class Admission {
    /** All that is asked for. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final long LOOK_EVERY_MICROS = 50_000;
    private static final long HEARD_WITHIN_MICROS = 1_000_000;

    /**
     * What a lane may always propose in a second, as a part of where lag stops clients: enough to see that things move.
     */
    private static final double TRICKLE = 1.0 / 512;

    /** A pause is not made good by more than this. */
    private static final double MOST_SAVED_SECONDS = 0.1;

    private static final double WEIGHT = 0.05;

    private final Members members;
    private final Budget budget;
    private final Turn turn;
    private final Peers peers;
    private final List<Lane> lanes;
    private final Checkpoints checkpoints;

    private final long[] lag;
    /** By data centre and lane, below which position its tables had all at the last look. */
    private final long[][] written;

    private final double[] drainPerSecond;
    private final boolean[] behind;
    private final CatchUpRoom room;
    private long decided;
    private long decidedInOwn;

    /** Bytes a second; infinite where nothing is held back. */
    private double rate = Double.POSITIVE_INFINITY;

    private double saved;
    private long lookedMicros = -1;

    Admission(Members members, Budget budget, Turn turn, Peers peers, List<Lane> lanes, Checkpoints checkpoints) {
        this.members = members;
        this.budget = budget;
        this.turn = turn;
        this.peers = peers;
        this.lanes = lanes;
        this.checkpoints = checkpoints;
        this.lag = new long[members.count()];
        this.written = new long[members.count()][members.count()];
        this.drainPerSecond = new double[members.count()];
        this.behind = new boolean[members.count()];
        this.room = new CatchUpRoom(members.count());
    }

    void tick() {
        long sinceMicros = turn.micros() - lookedMicros;
        if (lookedMicros >= 0 && sinceMicros < LOOK_EVERY_MICROS) {
            return;
        }
        double seconds = lookedMicros < 0 ? 0 : sinceMicros / 1e6;
        lookedMicros = turn.micros();
        long before = decided;
        long beforeInOwn = decidedInOwn;
        decided = lanes.stream().mapToLong(lane -> lane.log().decidedBytes()).sum();
        decidedInOwn = lanes.get(members.self()).log().decidedBytes();
        room.decided(decided - before, decidedInOwn - beforeInOwn, seconds);
        for (int dc = 0; dc < members.count(); dc++) {
            measure(dc, seconds);
        }
        rate = Math.min(rate(slowestThatCounts()), room.rate());
        // Of an infinite rate nothing is saved: infinitely much in no time is not a number.
        saved = isLimited()
                ? Math.min(saved + rate * Math.min(seconds, MOST_SAVED_SECONDS), rate * MOST_SAVED_SECONDS)
                : 0;
    }

    private void measure(int dc, double seconds) {
        long left = 0;
        long drained = 0;
        boolean moved = false;
        for (Lane lane : lanes) {
            long durableBelow = durableBelow(dc, lane.number());
            long leftInLane = lane.log().decidedBytesFrom(durableBelow);
            drained += Math.max(0, lane.log().decidedBytesFrom(written[dc][lane.number()]) - leftInLane);
            moved |= durableBelow > written[dc][lane.number()];
            written[dc][lane.number()] = durableBelow;
            left += leftInLane;
        }
        if (seconds > 0) {
            drainPerSecond[dc] += WEIGHT * (drained / seconds - drainPerSecond[dc]);
        }
        lag[dc] = left;
        if (left > budget.behindBytes()) {
            behind[dc] = true;
        } else if (left < budget.behindBytes() / 4) {
            behind[dc] = false;
        }
        room.looked(dc, new CatchUpRoom.Look(moved, drained, left, behind[dc] && isHeard(dc)), seconds, turn.micros());
    }

    private boolean isHeard(int dc) {
        return peers.isHeard(dc, HEARD_WITHIN_MICROS, turn.micros());
    }

    private long durableBelow(int dc, int lane) {
        return dc == members.self() ? checkpoints.done().positions().get(lane) : peers.durableBelow(dc, lane);
    }

    /**
     * Of those that count the one that lags most: the majority that lags least, and who is heard and not far behind.
     */
    private int slowestThatCounts() {
        Integer[] byLag = new Integer[members.count()];
        Arrays.setAll(byLag, dc -> dc);
        Arrays.sort(byLag, (a, b) -> Long.compare(lag[a], lag[b]));
        int slowest = byLag[0];
        for (int rank = 1; rank < byLag.length; rank++) {
            int dc = byLag[rank];
            if (rank < members.majority() || counts(dc)) {
                slowest = dc;
            }
        }
        return slowest;
    }

    private boolean counts(int dc) {
        return !behind[dc] && isHeard(dc);
    }

    private double rate(int slowest) {
        long lagging = lag[slowest];
        if (lagging <= budget.slowBytes()) {
            return Double.POSITIVE_INFINITY;
        }
        double left = Math.max(0, budget.stopBytes() - lagging) / (double) (budget.stopBytes() - budget.slowBytes());
        return Math.max(TRICKLE * budget.stopBytes(), 1.5 * drainPerSecond[slowest] * left);
    }

    /** So many bytes may be proposed now. */
    long mayPropose() {
        return isLimited() ? (long) saved : UNLIMITED;
    }

    /**
     * The same for small requests, which pass large ones: they may use what is not saved yet. So large ones wait
     * longer, and a flood of small ones is held back as well.
     */
    long mayProposeSmall() {
        return isLimited() ? (long) (saved + rate * MOST_SAVED_SECONDS) : UNLIMITED;
    }

    void proposed(long bytes) {
        if (isLimited()) {
            saved -= bytes;
        }
    }

    private boolean isLimited() {
        return rate < Double.POSITIVE_INFINITY;
    }

    /** About how long it takes until so much is proposed. */
    long waitMicros(long bytes) {
        return isLimited() ? (long) (1e6 * Math.max(0, bytes - saved) / rate) : 0;
    }

    /** Whether the others do not wait for this data centre any more. */
    boolean isBehind() {
        return behind[members.self()];
    }

    /** What a data centre has decided and not in its tables, as far as is known here. */
    long lagBytes(int dc) {
        return lag[dc];
    }
}
