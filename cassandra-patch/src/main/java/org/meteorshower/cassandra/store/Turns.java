/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what goes on in turns, so that one can wait until all has ended that began before a certain moment: a turn is
 * over when all have ended that began in it. Thread-safe; who begins and ends takes no lock.
 */
public final class Turns {
    private static final int TURNS = 2;

    private final LongAdder[] begun = {new LongAdder(), new LongAdder()};
    private final LongAdder[] ended = {new LongAdder(), new LongAdder()};
    private volatile long turn = 1;

    /**
     * One begins. Only after this does it look what is to be waited for.
     *
     * @return for {@link #end}
     */
    public int begin() {
        int place = place(turn);
        begun[place].increment();
        return place;
    }

    /** It has ended, whatever came of it. */
    public void end(int place) {
        ended[place].increment();
    }

    /** For {@link #areOver}, of all that have begun until now. */
    public long now() {
        return turn;
    }

    /** Whether those have ended that had begun by then. Where they have not, to be asked again. */
    public synchronized boolean areOver(long then) {
        if (turn == then && isEmpty(then - 1)) {
            turn++; // those that begin from now on are counted where nobody is
        }
        return turn > then && isEmpty(then);
    }

    private boolean isEmpty(long ofTurn) {
        if (ofTurn < turn - 1) {
            return true; // or the turn after it would not have been followed by another
        }
        int place = place(ofTurn);
        long over = ended[place].sum(); // first: what is counted here is counted below
        return begun[place].sum() == over;
    }

    private static int place(long ofTurn) {
        return (int) (ofTurn % TURNS);
    }
}
