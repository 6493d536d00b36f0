/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows with a common part of their keys.
 *
 * @param partition that part
 */
public record Partition(String table, String partition) {
    /** That of a row; null where it is of none. */
    public static @Nullable Partition of(RowKey row) {
        String partition = RowOrder.partition(row);
        return partition == null ? null : new Partition(row.table(), partition);
    }

    public boolean contains(RowKey key) {
        return key.table().equals(table) && key.key().startsWith(RowOrder.prefix(partition));
    }

    /** Its rows, and nothing else. */
    public <T> SortedMap<RowKey, T> part(SortedMap<RowKey, T> rows) {
        return rows.subMap(first(), end());
    }

    /** Its keys, and nothing else. */
    public SortedSet<RowKey> part(SortedSet<RowKey> rows) {
        return rows.subSet(first(), end());
    }

    private RowKey first() {
        return new RowKey(table, RowOrder.prefix(partition));
    }

    private RowKey end() {
        return new RowKey(table, RowOrder.end(partition));
    }

    int weight() {
        return Weight.OBJECT + Weight.of(table) + Weight.of(partition);
    }
}
