/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;

/**
 * What a scan saw in users' tables.
 *
 * @param atLeast of so many entries somebody had been told something before it began
 */
record ScannedRows(int dc, long atLeast, Map<RowKey, Row> rows, long nowMicros) {
    /** What it should not have seen, or not missed; null where that is nothing. */
    @Nullable
    String wrong(RowsByCount past) {
        Set<RowKey> all = new TreeSet<>(rows.keySet());
        all.addAll(past.keys());
        for (RowKey key : all) {
            Row seen = rows.getOrDefault(key, Row.ABSENT);
            List<Row> possible = past.since(atLeast, key);
            if (!possible.contains(seen)) {
                return "a scan at d" + dc + ", ended at " + nowMicros + " us, saw of row " + key + " " + seen
                        + "; after the " + atLeast + " entries of which something was told before it, it was "
                        + possible.get(0) + (possible.size() > 1 ? ", then " + possible.get(1) : " and stayed so");
            }
        }
        return null;
    }
}
