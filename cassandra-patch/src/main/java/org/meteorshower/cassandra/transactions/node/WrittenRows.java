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
    /** Rows that are looked at together. */
    private static final int PAGE = 256;

    private WrittenRows() {}

    /** @param place null for the table's beginning, or what the last page said */
    static UserTables.WrittenPage page(KnownTables.Known table, @Nullable PagingState place) {
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
        try (PartitionIterator partitions = pager.fetchPage(
                PAGE,
                ConsistencyLevel.LOCAL_QUORUM,
                ClientState.forInternalCalls(),
                Dispatcher.RequestTime.forImmediateExecution())) {
            while (partitions.hasNext()) {
                try (RowIterator partition = partitions.next()) {
                    add(table, partition, rows);
                }
            }
        }
        return new UserTables.WrittenPage(rows, pager.isExhausted() ? null : pager.state());
    }

    private static void add(KnownTables.Known table, RowIterator partition, List<UserTables.Written> rows) {
        if (!partition.staticRow().isEmpty()) {
            add(table, partition, Clustering.STATIC_CLUSTERING, partition.staticRow(), rows);
        }
        while (partition.hasNext()) {
            Row row = partition.next();
            add(table, partition, row.clustering(), row, rows);
        }
    }

    private static void add(
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
    }

    private static long newestMicros(Row row) {
        long newest = row.primaryKeyLivenessInfo().timestamp();
        for (Cell<?> cell : row.cells()) {
            newest = Math.max(newest, cell.timestamp());
        }
        return newest;
    }
}
