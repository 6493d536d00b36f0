/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

/**
 * The formats of entries that a release knows, from the oldest to the newest. A format is how entries, requests and
 * rows are written, and what executing them does: data centres must do the same with an entry, so whatever makes them
 * read or execute one otherwise is another format, be it a fault that is mended.
 *
 * <p>1: the first. 2: all of that, and ranges of rows are understood. 3: the same, and ranges may be proposed, since
 * all data centres have noted that they understand them. 4 and 5: likewise keys and bounds that are computed from rows,
 * and one value of several rows. 6 and 7: likewise values that end, and ranges of many rows that are deleted. 8 and 9:
 * likewise entries whose requests are bytes, after what is said of them. A data centre goes on by itself, and never
 * back.
 *
 * @param oldest at least 1
 * @param newest not below {@code oldest}
 */
public record Formats(int oldest, int newest) {
    /** What is in a format of which nothing was said: releases that knew this one only said nothing. */
    public static final int FIRST = 1;

    /** The first in which {@linkplain org.meteorshower.transactions.language.Range ranges} are understood. */
    public static final int READS_RANGES = 2;

    /**
     * The first in which a data centre may propose {@linkplain org.meteorshower.transactions.language.Range ranges}.
     */
    public static final int PROPOSES_RANGES = 3;

    /** The first in which a data centre may propose keys that are computed, and what comes with them. */
    public static final int PROPOSES_COMPUTED = 5;

    /**
     * The first in which a data centre may propose values that end. Their end it may propose before: where there is
     * any, all have noted that they understand it.
     */
    public static final int PROPOSES_ENDS = 7;

    /** The first in which a data centre proposes entries {@linkplain Entry#isFronted with fronts}. */
    public static final int PROPOSES_FRONTS = 9;

    /** Up to which a client's wish leads: later ones bring nothing to who has one process in a data centre. */
    public static final int NEWEST_WISHED = PROPOSES_ENDS;

    /** All that this code knows. */
    public static final Formats ALL = new Formats(1, PROPOSES_FRONTS);

    /** No release will know more. */
    public static final int MOST = 1_000_000;

    public Formats {
        if (oldest < 1 || newest < oldest || newest > MOST) {
            throw new IllegalArgumentException("there are no formats " + oldest + " to " + newest);
        }
    }

    public boolean know(int format) {
        return oldest <= format && format <= newest;
    }

    @Override
    public String toString() {
        return oldest == newest ? "format " + newest : "formats " + oldest + " to " + newest;
    }
}
