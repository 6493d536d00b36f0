/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows as a running transaction sees them: what they held, and over it what it has written. */
final class WorkingCopy {
    private final Map<RowKey, Row> held;
    private final SortedMap<RowKey, Row> written = new TreeMap<>();

    WorkingCopy(Map<RowKey, Row> held) {
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
