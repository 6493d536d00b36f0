/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;

/** A data centre's change stream on its disk. */
final class StoredChanges {
    private final TreeSet<ChangedRow> rows = new TreeSet<>(Comparator.comparingLong(ChangedRow::place)
            .thenComparingInt(ChangedRow::index)
            .thenComparing(ChangedRow::key));
    private final Set<Long> skippedTo = new HashSet<>();
    private @Nullable String gap;
    private boolean wasLost;
    private long oldest;
    private long below;

    void write(ChangedRow row) {
        if (!rows.add(row)) {
            rows.remove(row);
            rows.add(row);
        }
    }

    /** All rows of a piece are there. */
    void end(Changes piece) {
        if (below < piece.from()) {
            boolean explained = skippedTo.contains(piece.from()) || (wasLost && below == 0);
            if (!explained && gap == null) {
                gap = "its change stream lacks what was set from " + below + " to " + piece.from()
                        + ", and no snapshot went there";
            }
            oldest = piece.from();
        }
        below = Math.max(below, piece.below());
    }

    /** A snapshot has brought everything before this place: there may be a gap up to it. */
    void skips(long to) {
        skippedTo.add(to);
    }

    void lose() {
        rows.clear();
        wasLost = true;
        oldest = 0;
        below = 0;
    }

    /**
     * Why it is not the stream that it says it is; null where it is.
     *
     * @param expected all changes there ever were, in order
     */
    @Nullable
    String wrong(Collection<ChangedRow> expected) {
        if (gap != null) {
            return gap;
        }
        Iterator<ChangedRow> there = rows.stream()
                .filter(row -> row.place() >= oldest && row.place() < below)
                .iterator();
        for (ChangedRow each : expected) {
            if (each.place() < oldest || each.place() >= below) {
                continue;
            }
            ChangedRow found = there.hasNext() ? there.next() : null;
            if (!each.equals(found)) {
                return "its change stream has " + found + " where " + each + " belongs; it is whole from " + oldest
                        + " to " + below + " by its own word";
            }
        }
        return there.hasNext() ? "its change stream has " + there.next() + ", which nobody has set" : null;
    }
}
