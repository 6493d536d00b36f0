/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.ChangedRow;

/** What each row was, by the count of entries executed one after the other. */
final class RowsByCount {
    private final Map<RowKey, TreeMap<Long, Row>> rows = new TreeMap<>();

    RowsByCount(Map<RowKey, Row> before, List<ChangedRow> changes) {
        before.forEach((key, row) -> past(key).put(0L, row));
        changes.forEach(change -> past(change.key()).put(change.place() + 1, change.row()));
    }

    private NavigableMap<Long, Row> past(RowKey key) {
        return rows.computeIfAbsent(key, k -> new TreeMap<>(Map.of(0L, Row.ABSENT)));
    }

    /** That were ever there. */
    Set<RowKey> keys() {
        return rows.keySet();
    }

    /** What the row was after so many entries, and at any time since, in this order. */
    List<Row> since(long count, RowKey key) {
        NavigableMap<Long, Row> past = past(key);
        List<Row> since = new ArrayList<>();
        since.add(past.floorEntry(count).getValue());
        since.addAll(past.tailMap(count, false).values());
        return since;
    }
}
