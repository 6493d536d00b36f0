/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the rows that a transaction runs on. What it looks for besides is noted: its keys and ranges may be
 * computed from rows, so it is run again once that is known, too, until nothing is missing. Used by one thread.
 */
public final class Holdings {
    /** What was looked for in vain, in the order in which it was. */
    public record Missing(Set<RowKey> rows, Set<Range> ranges) {}

    private final SortedMap<RowKey, Row> rows;

    /** Null where nothing that is not held is there. */
    private final @Nullable Set<Range> ranges;

    private @Nullable Missing missing;

    private Holdings(SortedMap<RowKey, Row> rows, @Nullable Set<Range> ranges) {
        this.rows = rows;
        this.ranges = ranges;
    }

    /** To be filled. */
    public Holdings() {
        this(new TreeMap<>(), new HashSet<>());
    }

    /** All of it: of what is computed, a row that is not among these is absent. */
    static Holdings all(SortedMap<RowKey, Row> rows) {
        return new Holdings(rows, null);
    }

    /** A row, {@link Row#ABSENT} or not. */
    public void hold(RowKey key, Row row) {
        rows.put(key, row);
    }

    /** Of this range all rows are held that are there, as far as it takes them. */
    public void hold(Range range) {
        if (ranges != null) {
            ranges.add(range);
        }
    }

    public SortedMap<RowKey, Row> rows() {
        return Collections.unmodifiableSortedMap(rows);
    }

    public int size() {
        return rows.size();
    }

    public void clear() {
        rows.clear();
        if (ranges != null) {
            ranges.clear();
        }
        missing = null;
    }

    /** A row that the transaction names. */
    Row named(RowKey key) {
        Row row = rows.get(key);
        if (row == null) {
            throw new IllegalStateException("row " + key + " was not read: the transaction's rows are not all known");
        }
        return row;
    }

    /** A row whose key was computed. */
    Row computed(RowKey key) {
        Row row = rows.get(key);
        if (row == null && ranges != null) {
            missing().rows.add(key);
        }
        return row == null ? Row.ABSENT : row;
    }

    /** Those of its partition that are held, among them all of the range. */
    SortedMap<RowKey, Row> partitionOf(Range range) {
        if (ranges != null && !ranges.contains(range)) {
            missing().ranges.add(range);
        }
        return range.partition().part(rows);
    }

    private Missing missing() {
        if (missing == null) {
            missing = new Missing(new LinkedHashSet<>(), new LinkedHashSet<>());
        }
        return missing;
    }

    /** What was looked for since this was asked last, and is not held; null where nothing is missing. */
    public @Nullable Missing takeMissing() {
        Missing taken = missing;
        missing = null;
        return taken;
    }
}
