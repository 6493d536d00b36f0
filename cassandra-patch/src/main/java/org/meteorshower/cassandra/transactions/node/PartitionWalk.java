/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;

/** Partitions of a users' table in the order of their tokens. Stateless; blocks. */
final class PartitionWalk {
    private PartitionWalk() {}

    /**
     * The first partitions behind a token that have anything.
     *
     * @param nowSeconds what has expired by then is left out
     */
    static List<DecoratedKey> keys(TableMetadata table, long nowSeconds, long behind, int most) {
        Token from = table.partitioner.getTokenFactory().fromString(Long.toString(behind));
        DataRange range = DataRange.forTokenRange(new Range<>(from, table.partitioner.getMinimumToken()));
        PartitionRangeReadCommand command = PartitionRangeReadCommand.create(
                table,
                nowSeconds,
                ColumnFilter.selection(table, RegularAndStaticColumns.NONE, false),
                RowFilter.none(),
                DataLimits.distinctLimits(most),
                range);
        List<DecoratedKey> keys = new ArrayList<>();
        try (PartitionIterator partitions = StorageProxy.getRangeSlice(
                command, ConsistencyLevel.LOCAL_QUORUM, Dispatcher.RequestTime.forImmediateExecution())) {
            while (partitions.hasNext()) {
                try (RowIterator rows = partitions.next()) {
                    keys.add(rows.partitionKey());
                }
            }
        }
        return keys;
    }

    /** Where to go on behind a partition. Two of one token are as good as never there. */
    static long place(DecoratedKey key) {
        return (Long) key.getToken().getTokenValue();
    }
}
