/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import org.meteorshower.transactions.language.RowKey;

/**
 * A client's session, named by where its opening stands in the lanes. So no name is ever given twice, and a name
 * without a record is of a session that has expired: nobody needs to remember it.
 */
public record SessionId(int lane, long position, int index) {
    private static final String TABLE = "$sessions";

    /** The row that holds the session's record. It comes before all rows of tables. */
    public RowKey row() {
        return new RowKey(TABLE, lane + "." + position + "." + index);
    }

    /** Whether a row is the record of some session, and so in no users' table. */
    public static boolean isRowOfOne(RowKey row) {
        return row.table().equals(TABLE);
    }

    @Override
    public String toString() {
        return "s" + lane + "." + position + "." + index;
    }
}
