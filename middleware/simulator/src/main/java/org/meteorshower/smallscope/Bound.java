/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/**
 * How far a search goes.
 *
 * @param depth events in a row, after the operations may begin
 * @param departures how often a schedule may depart from the one that the search takes by itself: by passing over the
 *     source whose turn it is, until all other sources have been passed over or are empty (delay-bounded scheduling,
 *     Emmi and others, POPL 2011); {@link #ANY} for every order there is. Faults are not departures
 * @param mostStates of one depth, that are kept in memory; beyond it the search ends with the depth before
 */
public record Bound(int depth, int departures, int mostStates) {
    public static final int ANY = Integer.MAX_VALUE;

    /** Every order, to the end. */
    public static final Bound NONE = new Bound(ANY, ANY, ANY);

    public Bound withDepth(int most) {
        return new Bound(most, departures, mostStates);
    }

    public Bound withDepartures(int most) {
        return new Bound(depth, most, mostStates);
    }

    public Bound withMostStates(int most) {
        return new Bound(depth, departures, most);
    }
}
