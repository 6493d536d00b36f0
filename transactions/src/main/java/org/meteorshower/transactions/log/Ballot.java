/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

/**
 * Ballots as numbers: a round, then the generation of the proposer's disk, then the proposer. The round decides first;
 * no two proposers, and no two disks of one proposer, ever have the same ballot. They are the write timestamps of
 * accept rows.
 */
public final class Ballot {
    public static final long NONE = 0;
    private static final int DC_BITS = 8;
    private static final int GENERATION_BITS = 12;

    private Ballot() {}

    public static long of(long round, int generation, int dc) {
        return (round << (DC_BITS + GENERATION_BITS)) | ((long) generation << DC_BITS) | dc;
    }

    /** The next one of a proposer who asks for promises itself. Their rounds are odd. */
    public static long above(long seen, int generation, int dc) {
        return of((round(seen) + 1) | 1, generation, dc);
    }

    /** The next one under which data centres promise each other to pass over a lane's leader. Their rounds are even. */
    public static long ofRevocationAbove(long seen, int generation, int heir) {
        return of((round(seen) | 1) + 1, generation, heir);
    }

    /** Earlier releases have used such ballots as any others. */
    public static boolean isOfRevocation(long ballot) {
        return round(ballot) % 2 == 0 && ballot != NONE;
    }

    public static long round(long ballot) {
        return ballot >> (DC_BITS + GENERATION_BITS);
    }

    /** Of the proposer's disk. */
    public static int generation(long ballot) {
        return (int) ((ballot >> DC_BITS) & ((1 << GENERATION_BITS) - 1));
    }

    /** Who proposes under it; meaningless for {@link #NONE}. */
    public static int proposer(long ballot) {
        return (int) (ballot & ((1 << DC_BITS) - 1));
    }

    /** For people: round.generation@proposer. */
    public static String describe(long ballot) {
        return ballot == NONE ? "none" : round(ballot) + "." + generation(ballot) + "@" + proposer(ballot);
    }
}
