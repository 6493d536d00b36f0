/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

import org.meteorshower.transactions.port.Turn;

/**
 * Whether epochs need to be closed by the clock. Where nobody has asked for anything lately they do not: an idle system
 * then sends no proposals and writes nothing. Who is asked closes an epoch; the others see it and close theirs up to
 * it, dozing or not, so a doze can cost latency (the way to the furthest data centre and back, instead of the nearest
 * majority) and never keeps anybody waiting.
 */
public final class Doze {
    private final Turn turn;
    private final long afterMicros;
    private long neededMicros;
    private boolean begun;

    /** @param afterMicros 0 for never */
    public Doze(Turn turn, long afterMicros) {
        this.turn = turn;
        this.afterMicros = afterMicros;
    }

    /** Somebody, anywhere, asks for something. */
    public void needed() {
        neededMicros = turn.micros();
    }

    public boolean isDozing() {
        if (!begun) {
            begun = true;
            neededMicros = turn.micros(); // Who begins is awake: there may be work that it does not know of.
        }
        return afterMicros > 0 && turn.micros() - neededMicros > afterMicros;
    }
}
