/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.Columns;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.PartitionIterator;
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

/**
 * All rows of a users' table as a quorum of this data centre has them, in the order of their tokens, a page at a time;
 * static columns as a row of their own. Stateless; blocks.
 */
public final class TableRows {
    /** Hears of each row. */
    public interface Visitor {
        /** @param clustering {@link Clustering#STATIC_CLUSTERING} for the static columns */
        void row(ByteBuffer partition, Clustering<?> clustering, Row row);
    }

    private TableRows() {}

    /**
     * @param place null for the table's beginning, or what the last page returned
     * @param most rows of the page, not counting static ones
     * @return null where there is nothing more
     */
    public static @Nullable PagingState page(
            TableMetadata table, @Nullable PagingState place, int most, Visitor visitor) {
        return page(table, ColumnFilter.all(table), place, most, visitor);
    }

    /** Without what they hold, but for static columns. */
    public static @Nullable PagingState pageOfKeys(
            TableMetadata table, @Nullable PagingState place, int most, Visitor visitor) {
        RegularAndStaticColumns asked = new RegularAndStaticColumns(table.staticColumns(), Columns.NONE);
        return page(table, ColumnFilter.selection(table, asked, true), place, most, visitor);
    }

    private static @Nullable PagingState page(
            TableMetadata table, ColumnFilter columns, @Nullable PagingState place, int most, Visitor visitor) {
        PartitionRangeReadCommand all = PartitionRangeReadCommand.create(
                table,
                FBUtilities.nowInSeconds(),
                columns,
                RowFilter.none(),
                DataLimits.NONE,
                DataRange.allData(table.partitioner));
        QueryPager pager = all.getPager(place, ProtocolVersion.CURRENT);
        try (PartitionIterator partitions = pager.fetchPage(
                most,
                ConsistencyLevel.LOCAL_QUORUM,
                ClientState.forInternalCalls(),
                Dispatcher.RequestTime.forImmediateExecution())) {
            while (partitions.hasNext()) {
                try (RowIterator partition = partitions.next()) {
                    visit(partition, visitor);
                }
            }
        }
        return pager.isExhausted() ? null : pager.state();
    }

    private static void visit(RowIterator partition, Visitor visitor) {
        ByteBuffer key = partition.partitionKey().getKey();
        if (!partition.staticRow().isEmpty()) {
            visitor.row(key, Clustering.STATIC_CLUSTERING, partition.staticRow());
        }
        while (partition.hasNext()) {
            Row row = partition.next();
            visitor.row(key, row.clustering(), row);
        }
    }
}
