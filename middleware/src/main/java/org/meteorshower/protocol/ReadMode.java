/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * How fresh a read must be beyond what its session saw (docs/ARCHITECTURE.md, "Modes").
 *
 * @param kind which lower bound the cut has
 * @param thetaMicros θ, the allowed staleness of {@link Kind#BOUNDED}; 0 for the others
 */
public record ReadMode(Kind kind, long thetaMicros) {
    /** The lower bound that a mode sets on the cut; s is the session token, T the coordinator's physical clock. */
    public enum Kind {
        /** t &gt;= s. */
        SEQUENTIAL,
        /** t &gt;= max(s, T - θ). */
        BOUNDED,
        /**
         * BOUNDED with θ = the one-way delay to the nearest read majority less the clock error ε: §4.2.3,
         * MeteorShower2.
         */
        BOUNDED_BY_DELAY,
        /** t &gt;= max(s, T + ε): linearizable while all clocks are within ε. */
        STRICT
    }

    public static final ReadMode SEQUENTIAL = new ReadMode(Kind.SEQUENTIAL, 0);
    public static final ReadMode METEORSHOWER1 = bounded(0);
    public static final ReadMode METEORSHOWER2 = new ReadMode(Kind.BOUNDED_BY_DELAY, 0);
    public static final ReadMode STRICT = new ReadMode(Kind.STRICT, 0);

    public static ReadMode bounded(long thetaMicros) {
        if (thetaMicros < 0) {
            throw new IllegalArgumentException(
                    "a staleness bound cannot be negative: " + thetaMicros + " microseconds");
        }
        return new ReadMode(Kind.BOUNDED, thetaMicros);
    }

    /** Whether the mode leans on physical clocks, and so is refused where the hybrid clock has left them. */
    public boolean needsClock() {
        return kind != Kind.SEQUENTIAL;
    }
}
