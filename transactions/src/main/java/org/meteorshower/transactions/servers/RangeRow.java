/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** A row in a range's memory: its newest versions, and who will visit it, in merged order. */
final class RangeRow {
    private static final int WEIGHT = 200;
    private static final int VERSION_WEIGHT = 32;

    final RowKey key;

    /** Ascending. Empty until the row was read. */
    private final ArrayDeque<StoredRow> versions = new ArrayDeque<>();

    private final ArrayDeque<Part> queue = new ArrayDeque<>();

    /** The newest version that the tables hold. */
    private long inTables;

    private long versionsWeight;

    RangeRow(RowKey key) {
        this.key = key;
    }

    boolean isLoaded() {
        return !versions.isEmpty();
    }

    void load(StoredRow stored) {
        add(stored);
        inTables = stored.version();
    }

    private void add(StoredRow version) {
        versions.add(version);
        versionsWeight += VERSION_WEIGHT + Weight.of(version.row());
    }

    Row newest() {
        return versions.getLast().row();
    }

    long weight() {
        return WEIGHT + Weight.of(key) + versionsWeight;
    }

    /**
     * @param executed all below this count are executed: no cut will be as of an earlier one, but for the one that is
     *     due
     * @param cut that one
     * @throws IllegalStateException if the row has this version, or a later one
     */
    void write(long version, Row row, long executed, long cut) {
        if (version <= versions.getLast().version()) {
            throw new IllegalStateException("row " + key + " is written at version " + version + " after version "
                    + versions.getLast().version());
        }
        add(new StoredRow(version, row));
        forget(executed, cut);
    }

    private void forget(long executed, long cut) {
        Iterator<StoredRow> each = versions.iterator();
        StoredRow version = each.next();
        ArrayDeque<StoredRow> needed = new ArrayDeque<>(versions.size());
        while (each.hasNext()) {
            StoredRow next = each.next();
            if (isNewestBelow(version, next, cut) || next.version() >= Version.endOf(executed)) {
                needed.add(version);
            } else {
                versionsWeight -= VERSION_WEIGHT + Weight.of(version.row());
            }
            version = next;
        }
        needed.add(version);
        versions.clear();
        versions.addAll(needed);
    }

    private static boolean isNewestBelow(StoredRow version, StoredRow next, long count) {
        return version.version() < Version.endOf(count) && next.version() >= Version.endOf(count);
    }

    boolean isDirty() {
        return isLoaded() && versions.getLast().version() > inTables;
    }

    /** What the tables lack as of a count; null where they lack nothing. */
    @Nullable
    RowWrite unwritten(long asOf, long done) {
        StoredRow newest = null;
        for (StoredRow version : versions) {
            newest = version.version() < Version.endOf(asOf) ? version : newest;
        }
        if (newest == null || newest.version() <= inTables) {
            return null;
        }
        long forgetBelow = inTables < Version.endOf(done) ? inTables : 0;
        return new RowWrite(key, newest, inTables, null, forgetBelow);
    }

    void written(long version) {
        inTables = Math.max(inTables, version);
    }

    boolean isIdle() {
        return isLoaded() && !isDirty() && queue.isEmpty();
    }

    void enqueue(Part part) {
        queue.add(part);
    }

    @Nullable
    Part head() {
        return queue.peek();
    }

    /** Returns whose turn it is now; null where nobody waits. */
    @Nullable
    Part leave(Part part) {
        queue.remove(part);
        return queue.peek();
    }
}
