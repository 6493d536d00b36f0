/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.List;

/**
 * What a transaction shall do. Immutable.
 *
 * <p>A row has a balance, a version that every write raises by one, and the id of the transaction that wrote it last. A
 * transaction that writes a row also tells the version and the id that it found there, so from all answers together the
 * order of the writers of each row is known, see {@link VersionHistory}.
 *
 * @param id unlike any other's; letters, digits and - only
 * @param rows to read, and to write unless it is a read: two, or as many as the kind says
 * @param amount from the first row to the second, where the first one has so much; 0 otherwise
 */
public record Request(Kind kind, String id, List<Integer> rows, int amount) {
    /** The row that many orders meet in, and those of what is ordered. */
    public static final int ROWS_OF_AN_ORDER = 8;

    /** What it does with its rows. */
    public enum Kind {
        /** Reads two rows, and takes an amount from the one to the other where there is so much. */
        TRANSFER,
        /** Raises the version of one row. */
        INCREMENT,
        /** Raises the versions of {@link #ROWS_OF_AN_ORDER} rows. */
        ORDER,
        /** Reads two rows. */
        READ;

        /** Whether it writes the rows that it reads. */
        public boolean writes() {
            return this != READ;
        }
    }

    public Request {
        rows = List.copyOf(rows);
        int expected =
                switch (kind) {
                    case INCREMENT -> 1;
                    case ORDER -> ROWS_OF_AN_ORDER;
                    case TRANSFER, READ -> 2;
                };
        if (rows.size() != expected || rows.stream().distinct().count() != expected || amount < 0) {
            throw new IllegalArgumentException(kind + " needs " + expected + " rows that differ, and no debt: " + rows);
        }
    }
}
