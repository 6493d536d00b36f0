/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.Arrays;

/**
 * What a submission says before its body of the rows that it names, so that it can be sent where they are by who does
 * not read the body. A request has just one. Immutable.
 */
public final class Front {
    /** It opens a session, whose row is the only one: where it stands gives the name, so there are no tokens. */
    public static final Front OPENS = new Front(true, false);

    private static final int WEIGHT = 48;
    private static final int PER_TOKEN = 8;

    private final boolean opens;
    private final boolean claims;
    private final long[] tokens;

    private Front(boolean opens, boolean claims, long... tokens) {
        this.opens = opens;
        this.claims = claims;
        this.tokens = tokens;
    }

    /** @param tokens of the rows: first that of the row with the turn, then the others, ascending, each once */
    public static Front ofRows(long... tokens) {
        return new Front(false, false, tokens.clone());
    }

    /**
     * Of a request that has partitions to itself besides.
     *
     * @param tokens of rows and partitions: first that of the first partition, then the others, ascending, each once
     */
    public static Front ofClaims(long... tokens) {
        return new Front(false, true, tokens.clone());
    }

    public boolean opens() {
        return opens;
    }

    /** Whether it has partitions to itself: ranges of rows, or rows whose keys are computed. */
    public boolean claims() {
        return claims;
    }

    public int size() {
        return tokens.length;
    }

    /** @param index below {@link #size} */
    public long token(int index) {
        return tokens[index];
    }

    /** About how many bytes it takes on the heap. */
    public int weight() {
        return WEIGHT + PER_TOKEN * tokens.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Front front
                && opens == front.opens
                && claims == front.claims
                && Arrays.equals(tokens, front.tokens);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(tokens) + Boolean.hashCode(opens)) + Boolean.hashCode(claims);
    }

    @Override
    public String toString() {
        return opens ? "a session to be opened" : (claims ? "partitions at " : "rows at ") + Arrays.toString(tokens);
    }
}
