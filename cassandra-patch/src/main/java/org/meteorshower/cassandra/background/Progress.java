/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

/**
 * How far a repair is, and when it will have ended: by the pace of the pieces so far, the newest of which count most
 * (after ProRenaTa: what moving data costs is learned from what was moved). Immutable.
 *
 * @param done pieces
 * @param all of them
 * @param secondsEach what a piece takes, the rest after it included; 0 while that is not known
 */
public record Progress(int done, int all, double secondsEach) {
    private static final double WEIGHT = 0.3;

    static Progress begin(int all) {
        return new Progress(0, all, 0);
    }

    Progress another(double seconds) {
        return new Progress(done + 1, all, secondsEach == 0 ? seconds : secondsEach + WEIGHT * (seconds - secondsEach));
    }

    /** From 0 to 1. */
    public double share() {
        return all == 0 ? 1 : (double) done / all;
    }

    /** Until it will have ended; negative while that cannot be told. */
    public long secondsLeft() {
        return done == 0 || secondsEach == 0 ? -1 : Math.round((all - done) * secondsEach);
    }
}
