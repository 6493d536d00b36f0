/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.SortedMap;
import java.util.TreeMap;

/** Rows as a running transaction sees them: what they held, and over it what it has written. */
final class WorkingCopy {
    private final Holdings held;
    private final SortedMap<RowKey, Row> written = new TreeMap<>();

    WorkingCopy(Holdings held) {
        this.held = held;
    }

    /** A row that the transaction names. */
    Row get(RowKey key) {
        Row row = written.get(key);
        return row == null ? held.named(key) : row;
    }

    /** A row whose key was computed. */
    Row computed(RowKey key) {
        Row row = written.get(key);
        return row == null ? held.computed(key) : row;
    }

    /** The rows of a range, as it is read. */
    SortedMap<RowKey, Row> in(Range range) {
        TreeMap<RowKey, Row> rows = new TreeMap<>();
        if (range.isRow()) {
            rows.put(range.row(), computed(range.row()));
        } else {
            rows.putAll(held.partitionOf(range));
            rows.putAll(range.partition().part(written));
        }
        return range.of(rows);
    }

    void put(RowKey key, Row row) {
        written.put(key, row);
    }

    void discard() {
        written.clear();
    }

    SortedMap<RowKey, Row> written() {
        return written;
    }
}
