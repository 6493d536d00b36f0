/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;

/** A row with the version of who wrote it last; 0 where none of the transactions did. */
public record StoredRow(long version, Row row) {
    private static final int WEIGHT = 72;

    public static final StoredRow NEVER_WRITTEN = new StoredRow(0, Row.ABSENT);

    /**
     * Not a version of a row: what it was as of the limit that was asked for is not there any more, although it was.
     */
    public static final long PAST_GONE = Long.MAX_VALUE;

    /** About how many bytes it takes on the heap what rows were before any transaction wrote them. */
    static long basesWeight(Map<RowKey, Row> bases) {
        long weight = 0;
        for (Map.Entry<RowKey, Row> base : bases.entrySet()) {
            weight += WEIGHT + Weight.of(base.getKey()) + Weight.of(base.getValue());
        }
        return weight;
    }

    /** About how many bytes rows take on the heap. */
    static long weight(Map<RowKey, StoredRow> rows) {
        long weight = 0;
        for (Map.Entry<RowKey, StoredRow> row : rows.entrySet()) {
            weight +=
                    WEIGHT + Weight.of(row.getKey()) + Weight.of(row.getValue().row());
        }
        return weight;
    }

    /**
     * What a row was below a limit, where nothing of that is kept; null where no transaction had written it.
     *
     * @param previous {@link RowWrite#previous} of the first version that is not below the limit
     */
    public static @Nullable StoredRow unkept(long previous, long below) {
        if (previous == 0) {
            return null;
        }
        return wasAbsent(previous, below) ? new StoredRow(-previous, Row.ABSENT) : new StoredRow(PAST_GONE, Row.ABSENT);
    }

    /** What is absent leaves no trace after a while, although an earlier process has written the row later. */
    private static boolean wasAbsent(long previous, long below) {
        return previous < 0 && -previous < below;
    }
}
