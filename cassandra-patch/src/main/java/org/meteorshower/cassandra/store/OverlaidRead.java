/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.SingletonUnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.db.transform.Transformation;
import org.apache.cassandra.dht.Bounds;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.Overlay;

/**
 * Cassandra's read of one partition, with some rows taken not from the store but from a history and the mutations
 * visible over it. Everything after that (purging, filters, limits, paging) is Cassandra's own code. Used by one
 * thread.
 */
public final class OverlaidRead extends SinglePartitionReadCommand {
    private final RowHistory history;
    private final PartitionUpdate over;

    public static SinglePartitionReadCommand of(SinglePartitionReadCommand read, @Nullable Overlay overlay) {
        if (overlay == null) {
            return read;
        }
        RowHistory history = (RowHistory) overlay.history();
        return new OverlaidRead(
                read,
                read.limits(),
                read.clusteringIndexFilter(),
                history,
                history.mergedWith(overlay.visible(), read.partitionKey()));
    }

    private OverlaidRead(
            SinglePartitionReadCommand read,
            DataLimits limits,
            ClusteringIndexFilter filter,
            RowHistory history,
            PartitionUpdate over) {
        super(
                false,
                0,
                false,
                read.metadata(),
                read.nowInSec(),
                read.columnFilter(),
                read.rowFilter(),
                limits,
                read.partitionKey(),
                filter,
                null,
                false,
                new DataRange(new Bounds<>(read.partitionKey(), read.partitionKey()), filter));
        this.history = history;
        this.over = over;
    }

    @Override
    public SinglePartitionReadCommand withUpdatedLimit(DataLimits newLimits) {
        return new OverlaidRead(this, newLimits, clusteringIndexFilter(), history, over);
    }

    @Override
    public SinglePartitionReadCommand forPaging(@Nullable Clustering<?> lastReturned, DataLimits newLimits) {
        ClusteringIndexFilter rest = lastReturned == null
                ? clusteringIndexFilter()
                : clusteringIndexFilter().forPaging(metadata().comparator, lastReturned, false);
        return new OverlaidRead(this, newLimits, rest, history, over);
    }

    @Override
    protected UnfilteredPartitionIterator queryStorage(ColumnFamilyStore cfs, ReadExecutionController controller) {
        UnfilteredRowIterator overlaid = clusteringIndexFilter().getUnfilteredRowIterator(columnFilter(), over);
        if (metadata().clusteringColumns().isEmpty() && history.holds(Clustering.EMPTY)) {
            // The partition is that one row: nothing of the store counts, a deletion of the partition included.
            return new SingletonUnfilteredPartitionIterator(overlaid);
        }
        UnfilteredRowIterator stored =
                Transformation.apply(queryMemtableAndDisk(cfs, controller), new WithoutHeldRows());
        return new SingletonUnfilteredPartitionIterator(UnfilteredRowIterators.merge(List.of(stored, overlaid)));
    }

    /**
     * Drops the rows that the history holds. Deletions of ranges stay: history is only kept where none is in flight.
     */
    private final class WithoutHeldRows extends Transformation<UnfilteredRowIterator> {
        @Override
        protected Row applyToStatic(Row row) {
            return history.staticRow() == null ? row : Rows.EMPTY_STATIC_ROW;
        }

        @Override
        protected @Nullable Row applyToRow(Row row) {
            return history.holds(row.clustering()) ? null : row;
        }
    }
}
