/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;

/**
 * What a transaction has set a row to.
 *
 * @param place of its entry in the merged order, from 0: the same in all data centres
 * @param index of the transaction within it
 */
public record ChangedRow(long place, int index, RowKey key, Row row) {
    private static final long OBJECT_WEIGHT = 48L;

    /** About how many bytes of heap it takes. */
    public long weight() {
        return OBJECT_WEIGHT + Weight.of(key) + Weight.of(row);
    }
}
