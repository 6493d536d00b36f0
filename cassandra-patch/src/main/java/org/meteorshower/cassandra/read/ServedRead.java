/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.SingletonUnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.dht.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * A read of one partition whose rows come from a {@link Source} instead of Cassandra's own paths. Pagers and groups of
 * Cassandra's handle it as any other. Used by one thread.
 */
final class ServedRead extends SinglePartitionReadCommand {
    /** Where the rows come from. */
    interface Source {
        /** The live rows that the command selects, or more of its partition; null if there are none. */
        @Nullable
        ImmutableBTreePartition rowsFor(SinglePartitionReadCommand command);
    }

    private final Source source;

    ServedRead(SinglePartitionReadCommand read, Source source) {
        this(read, read.limits(), read.clusteringIndexFilter(), source);
    }

    private ServedRead(
            SinglePartitionReadCommand read, DataLimits limits, ClusteringIndexFilter filter, Source source) {
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
        this.source = source;
    }

    @Override
    public SinglePartitionReadCommand withUpdatedLimit(DataLimits newLimits) {
        return new ServedRead(this, newLimits, clusteringIndexFilter(), source);
    }

    @Override
    public SinglePartitionReadCommand forPaging(@Nullable Clustering<?> lastReturned, DataLimits newLimits) {
        ClusteringIndexFilter rest = lastReturned == null
                ? clusteringIndexFilter()
                : clusteringIndexFilter().forPaging(metadata().comparator, lastReturned, false);
        return new ServedRead(this, newLimits, rest, source);
    }

    /** Nothing of this node's store is held: the wait for a row in flight may be long. */
    @Override
    public ReadExecutionController executionController() {
        return ReadExecutionController.empty();
    }

    @Override
    public UnfilteredPartitionIterator executeLocally(ReadExecutionController controller) {
        ImmutableBTreePartition rows = source.rowsFor(this);
        if (rows == null) {
            return EmptyIterators.unfilteredPartition(metadata());
        }
        UnfilteredPartitionIterator selected = new SingletonUnfilteredPartitionIterator(
                clusteringIndexFilter().getUnfilteredRowIterator(columnFilter(), rows));
        return limits().filter(selected, nowInSec(), selectsFullPartition());
    }
}
