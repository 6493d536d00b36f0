/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.clocks;

/**
 * The longest of those silences of somebody that have ended by themselves in the last half minute to minute: who
 * collects garbage time and again is known by them. Time is an argument, of any origin. Not thread-safe.
 */
public final class LongestSilence {
    private final long window;
    private long begun = Long.MIN_VALUE / 2;
    private long inThis;
    private long inLast;

    /** @param halfMinute in the unit of all other arguments */
    public LongestSilence(long halfMinute) {
        this.window = halfMinute;
    }

    public void ended(long silence, long now) {
        turn(now);
        inThis = Math.max(inThis, silence);
    }

    /** Zero where there was none. */
    public long lately(long now) {
        turn(now);
        return Math.max(inThis, inLast);
    }

    /** Somebody else is listened to. */
    public void forget() {
        inThis = 0;
        inLast = 0;
    }

    private void turn(long now) {
        long passed = now - begun;
        if (passed > window) {
            inLast = passed > 2 * window ? 0 : inThis;
            inThis = 0;
            begun = now;
        }
    }
}
