/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the stock clients, one for each, in any table of the run; those of the checked sessions lie below. Which
 * write is the newer one is for timestamps to say: a driver without a token may change its coordinator between two.
 */
final class StockRows {
    private static final int FIRST = 2_000_000;

    private StockRows() {}

    static SimpleStatement insert(String table, int client, long value) {
        return SimpleStatement.newInstance(
                "INSERT INTO " + RowsTable.KEYSPACE + "." + table + " (id, value) VALUES (?, ?)",
                FIRST + client,
                Long.toString(value));
    }

    /** The timestamp of the row's newest write that is seen. */
    static SimpleStatement select(String table, int client) {
        return SimpleStatement.newInstance(
                "SELECT WRITETIME(value) FROM " + RowsTable.KEYSPACE + "." + table + " WHERE id = ?", FIRST + client);
    }

    /** What was found, in microseconds; 0 where there is no such row yet. */
    static long timestampOf(@Nullable Row row) {
        return row == null ? 0 : row.getLong(0);
    }
}
