/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Turn;

/**
 * Has the change stream stored, a piece at a time. Readers of it do not wait for cuts, which rest where rows are
 * written again and again. A cut is done only when the stream is stored up to it: so who executes again from there on
 * makes the same changes again, and none is missing.
 */
public final class ChangePieces {
    private final Turn turn;
    private final ChangeStream changes;
    private final long everyMicros;

    private boolean underWay;
    private long begunMicros;
    private long storedBelow;
    private long neededBelow;

    /** Once what is under way is stored. */
    private long takenBelow;

    /**
     * @param everyMicros a piece begins that long after the one before it, where anything was set
     * @param start the place from which on this process executes
     */
    public ChangePieces(Turn turn, ChangeStream changes, long everyMicros, long start) {
        this.turn = turn;
        this.changes = changes;
        this.everyMicros = everyMicros;
        this.storedBelow = start - 1;
        this.neededBelow = start;
    }

    /** A cut waits for it. */
    public void need(long below) {
        neededBelow = below;
    }

    /** Whether the stream is stored so far; true where there is none. */
    public boolean isStored(long below) {
        return !changes.isKept() || storedBelow >= below;
    }

    public void tick() {
        if (changes.isKept() && !underWay && changes.below() > storedBelow && isDue()) {
            begunMicros = turn.micros();
            underWay = true;
            takenBelow = changes.below();
            turn.emit(new Effect.WriteChanges(changes.take()));
        }
    }

    private boolean isDue() {
        return neededBelow > storedBelow
                || changes.isDue()
                || (changes.bytes() > 0 && turn.micros() - begunMicros >= everyMicros);
    }

    /** The piece that is under way is. */
    public void stored() {
        underWay = false;
        storedBelow = takenBelow;
        changes.stored();
    }

    /**
     * Execution goes on from another place, of which readers are told once what is under way is stored, which is before
     * the gap.
     */
    public void jump(long to) {
        storedBelow = to - 1;
        takenBelow = to - 1;
        neededBelow = to;
    }
}
