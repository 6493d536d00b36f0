/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.service.pager.QueryPager;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RowForm;

/** The rows that a users' table shows and that transactions wrote, wherever they came from. Stateless; blocks. */
final class WrittenRows {
    private WrittenRows() {}

    /**
     * @param place null for the table's beginning, or what the last page said
     * @param most rows that are looked at together
     */
    static UserTables.WrittenPage page(KnownTables.Known table, @Nullable PagingState place, int most) {
        TableMetadata metadata = table.metadata();
        PartitionRangeReadCommand all = PartitionRangeReadCommand.create(
                metadata,
                FBUtilities.nowInSeconds(),
                ColumnFilter.all(metadata),
                RowFilter.none(),
                DataLimits.NONE,
                DataRange.allData(metadata.partitioner));
        QueryPager pager = all.getPager(place, ProtocolVersion.CURRENT);
        List<UserTables.Written> rows = new ArrayList<>();
        long bytes = 0;
        try (PartitionIterator partitions = pager.fetchPage(
                most,
                ConsistencyLevel.LOCAL_QUORUM,
                ClientState.forInternalCalls(),
                Dispatcher.RequestTime.forImmediateExecution())) {
            while (partitions.hasNext()) {
                try (RowIterator partition = partitions.next()) {
                    bytes += add(table, partition, rows);
                }
            }
        }
        return new UserTables.WrittenPage(rows, bytes, pager.isExhausted() ? null : pager.state());
    }

    /** Returns how large they are. */
    private static long add(KnownTables.Known table, RowIterator partition, List<UserTables.Written> rows) {
        long bytes = 0;
        if (!partition.staticRow().isEmpty()) {
            bytes += add(table, partition, Clustering.STATIC_CLUSTERING, partition.staticRow(), rows);
        }
        while (partition.hasNext()) {
            Row row = partition.next();
            bytes += add(table, partition, row.clustering(), row, rows);
        }
        return bytes;
    }

    private static long add(
            KnownTables.Known table,
            RowIterator partition,
            Clustering<?> clustering,
            Row row,
            List<UserTables.Written> rows) {
        long micros = newestMicros(row);
        if (micros > table.baseMicros()) {
            rows.add(new UserTables.Written(
                    RowForm.keyOf(table.metadata(), partition.partitionKey().getKey(), clustering),
                    micros - table.baseMicros()));
        }
        return row.dataSize();
    }

    private static long newestMicros(Row row) {
        long newest = row.primaryKeyLivenessInfo().timestamp();
        for (Cell<?> cell : row.cells()) {
            newest = Math.max(newest, cell.timestamp());
        }
        return newest;
    }
}
