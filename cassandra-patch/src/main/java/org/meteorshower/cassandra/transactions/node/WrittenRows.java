/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.service.pager.PagingState;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.TableRows;

/** The rows that a users' table shows and that transactions wrote, wherever they came from. Stateless; blocks. */
final class WrittenRows {
    private WrittenRows() {}

    /**
     * @param place null for the table's beginning, or what the last page said
     * @param most rows that are looked at together
     */
    static UserTables.WrittenPage page(KnownTables.Known table, @Nullable PagingState place, int most) {
        List<UserTables.Written> rows = new ArrayList<>();
        long[] bytes = {0};
        PagingState next = TableRows.page(table.metadata(), place, most, (partition, clustering, row) -> {
            long micros = newestMicros(row);
            if (micros > table.baseMicros()) {
                rows.add(new UserTables.Written(
                        RowForm.keyOf(table.metadata(), partition, clustering), micros - table.baseMicros()));
            }
            bytes[0] += row.dataSize();
        });
        return new UserTables.WrittenPage(rows, bytes[0], next);
    }

    private static long newestMicros(Row row) {
        long newest = row.primaryKeyLivenessInfo().timestamp();
        for (Cell<?> cell : row.cells()) {
            newest = Math.max(newest, cell.timestamp());
        }
        return newest;
    }
}
