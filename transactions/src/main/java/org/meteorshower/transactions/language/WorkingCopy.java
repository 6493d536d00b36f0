/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.SortedMap;
import java.util.TreeMap;

/** Rows as a running transaction sees them: what they held, and over it what it has written. */
final class WorkingCopy {
    private final SortedMap<RowKey, Row> held;
    private final SortedMap<RowKey, Row> written = new TreeMap<>();

    WorkingCopy(SortedMap<RowKey, Row> held) {
        this.held = held;
    }

    Row get(RowKey key) {
        Row row = written.get(key);
        if (row == null) {
            row = held.get(key);
        }
        if (row == null) {
            throw new IllegalStateException("row " + key + " was not read: the transaction's rows are not all known");
        }
        return row;
    }

    /** The rows of a range, as it is read. */
    SortedMap<RowKey, Row> in(Range range) {
        TreeMap<RowKey, Row> rows = new TreeMap<>(range.part(held));
        rows.putAll(range.part(written));
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
