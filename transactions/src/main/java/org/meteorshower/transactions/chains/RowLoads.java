/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.meteorshower.transactions.language.RowKey;

/**
 * Which rows are read from the tables, and when. How much one takes is known only when it is there: room is kept as for
 * as many like those that came last, twice, since what is read is mostly written. Beyond that rows wait until others
 * have gone.
 */
final class RowLoads {
    /** One of so many counts for what is usual. */
    private static final int SMOOTHING = 32;

    /** So many standard deviations above the mean is what some rows take allowed to be. */
    private static final double CERTAINTY = 3;

    /** Of all that rows may take, what is usual before any has come. */
    private static final int PART_AT_FIRST = 64;

    /** An entry should leave room for so many like it. */
    private static final int PARTS = 16;

    private final long mostBytes;

    /** The longest wanted first. */
    private final Set<RowKey> wanted = new LinkedHashSet<>();

    private long reading;

    /** Of the bytes that rows take, and of their squares. */
    private double mean;

    private double meanSquare;

    /** @param mostBytes that rows may take */
    RowLoads(long mostBytes) {
        this.mostBytes = mostBytes;
        this.mean = 1 + (double) mostBytes / PART_AT_FIRST;
        this.meanSquare = mean * mean;
    }

    void want(RowKey row) {
        wanted.add(row);
    }

    /** One has come. */
    void loaded(RowKey row, long bytes) {
        reading -= wanted.remove(row) ? 0 : 1;
        double itself = (double) bytes;
        mean += (itself - mean) / SMOOTHING;
        meanSquare += (itself * itself - meanSquare) / SMOOTHING;
    }

    /** What the rows take that are read or to be read, and so many that are written besides, hardly ever more. */
    long expectedBytes(long written) {
        return bytes(reading + wanted.size() + written);
    }

    /** What so many rows take, hardly ever more: few may all be large ones, of many only some are. */
    long bytes(long rows) {
        double deviation = Math.sqrt(Math.max(0, meanSquare - mean * mean));
        return (long) ((double) rows * mean + CERTAINTY * Math.sqrt((double) rows) * deviation);
    }

    /** Whether rows are more than one entry should name. */
    boolean areMany(Expected rows) {
        return 2 * (rows.bytes() + bytes(rows.unread())) > mostBytes / PARTS;
    }

    /** Whether rows wait for room and none is on its way. */
    boolean isStuck() {
        return reading == 0 && !wanted.isEmpty();
    }

    /** Those to be read now, which may be none. */
    SortedSet<RowKey> next(long heldBytes) {
        SortedSet<RowKey> next = new TreeSet<>();
        Iterator<RowKey> longestFirst = wanted.iterator();
        while (longestFirst.hasNext() && heldBytes + 2 * bytes(reading + 1) <= mostBytes) {
            next.add(longestFirst.next());
            longestFirst.remove();
            reading++;
        }
        return next;
    }

    /** Those of some rows that wait, or else one: they are read whatever they take. */
    SortedSet<RowKey> anyway(Iterable<RowKey> rows) {
        SortedSet<RowKey> next = anyOf(rows);
        if (next.isEmpty()) {
            Iterator<RowKey> longestFirst = wanted.iterator();
            next.add(longestFirst.next());
            longestFirst.remove();
            reading++;
        }
        return next;
    }

    /** Those of some rows that wait: they are read whatever they take. */
    SortedSet<RowKey> anyOf(Iterable<RowKey> rows) {
        SortedSet<RowKey> next = new TreeSet<>();
        for (RowKey row : rows) {
            if (wanted.remove(row)) {
                next.add(row);
            }
        }
        reading += next.size();
        return next;
    }

    /** One was read in vain. */
    void again(RowKey row) {
        reading -= wanted.add(row) ? 1 : 0;
    }

    void clear() {
        wanted.clear();
        reading = 0;
    }
}
