/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * How late other lanes close epochs, as clients here feel it: an entry of this data centre's lane with something in it
 * is decided, and waits until each other lane has closed its epoch. Of each lane the latest since it was last told.
 * What this data centre closes early by itself nobody must keep up with, else two would drive each other on for ever.
 */
public final class Lateness {
    private static final int MOST_OPEN = 1_024;

    /** An epoch, or a later one, is closed, and all before it. */
    private record Closed(long epoch, long micros) {}

    private static final class Comparison {
        private final ArrayDeque<Closed> own = new ArrayDeque<>();
        private final ArrayDeque<Closed> theirs = new ArrayDeque<>();
        private Message.@Nullable Margin latest;

        void compare() {
            while (!own.isEmpty() && !theirs.isEmpty()) {
                if (theirs.peek().epoch() < own.peek().epoch()) {
                    theirs.poll();
                } else {
                    Closed waited = own.poll();
                    long late = theirs.peek().micros() - waited.micros();
                    if (latest == null || late > latest.micros()) {
                        latest = new Message.Margin(waited.epoch(), late);
                    }
                }
            }
        }
    }

    private final Members members;
    private final Turn turn;
    private final List<Comparison> comparisons = new ArrayList<>();

    public Lateness(Members members, Turn turn) {
        this.members = members;
        this.turn = turn;
        for (int dc = 0; dc < members.count(); dc++) {
            comparisons.add(new Comparison());
        }
    }

    /** An entry of this data centre's lane that somebody waits for is decided, and all before it. */
    public void ownClosed(long epoch, long earlyMicros) {
        Closed own = new Closed(epoch, turn.micros() + earlyMicros);
        for (int lane = 0; lane < members.count(); lane++) {
            if (lane != members.self()) {
                add(comparisons.get(lane).own, own);
                comparisons.get(lane).compare();
            }
        }
    }

    /** The lane of another data centre is decided up to an entry of this effective epoch. */
    public void closed(int lane, long epoch) {
        Comparison comparison = comparisons.get(lane);
        add(comparison.theirs, new Closed(epoch, turn.micros()));
        comparison.compare();
    }

    /** Somebody else leads the lane: its owner is not to blame. */
    public void forget(int lane) {
        comparisons.get(lane).own.clear();
        comparisons.get(lane).theirs.clear();
    }

    private static void add(ArrayDeque<Closed> to, Closed closed) {
        to.add(closed);
        if (to.size() > MOST_OPEN) {
            to.poll();
        }
    }

    /** For how long something that clients here asked for waits for the lane by now. */
    public long heldUpMicros(int lane) {
        Closed waits = comparisons.get(lane).own.peek();
        return waits == null ? 0 : Math.max(0, turn.micros() - waits.micros());
    }

    /** What to tell the lane's owner; null where nobody has waited, or for no lane, since it was last told. */
    public Message.@Nullable Margin take(int lane) {
        Message.Margin latest = comparisons.get(lane).latest;
        comparisons.get(lane).latest = null;
        return latest;
    }
}
