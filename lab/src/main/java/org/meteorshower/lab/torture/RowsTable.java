/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;

/** The one table whose reads and writes are under torture. */
final class RowsTable {
    static final String KEYSPACE = "torture";
    static final String NAME = "rows";

    /** Beside it, of the same columns, and never enabled. */
    static final String ORDINARY = "ordinary";

    private static final String FULL_NAME = KEYSPACE + "." + NAME;

    private RowsTable() {}

    static String key(int row) {
        return NAME + "/" + row;
    }

    static SimpleStatement insert(int row, String value) {
        return SimpleStatement.newInstance("INSERT INTO " + FULL_NAME + " (id, value) VALUES (?, ?)", row, value);
    }

    static SimpleStatement select(int row) {
        return SimpleStatement.newInstance("SELECT value FROM " + FULL_NAME + " WHERE id = ?", row);
    }

    /** The value, and the timestamp of its write. */
    static SimpleStatement selectVersion(int row) {
        return SimpleStatement.newInstance("SELECT value, WRITETIME(value) FROM " + FULL_NAME + " WHERE id = ?", row);
    }
}
