/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A read of a range of partitions whose rows come from a {@link Source} instead of Cassandra's own paths. Cassandra's
 * pagers handle it as any other. Used by one thread.
 */
final class ServedScan extends PartitionRangeReadCommand {
    /** Where the rows come from. */
    interface Source {
        /** The live rows that the command selects, by partition in their order: as many as it asks for, or more. */
        List<ImmutableBTreePartition> rowsFor(PartitionRangeReadCommand page);
    }

    private final Source source;

    ServedScan(PartitionRangeReadCommand read, Source source) {
        this(read, read.limits(), read.dataRange(), source);
    }

    private ServedScan(PartitionRangeReadCommand read, DataLimits limits, DataRange range, Source source) {
        super(
                false,
                0,
                false,
                read.metadata(),
                read.nowInSec(),
                read.columnFilter(),
                read.rowFilter(),
                limits,
                range,
                read.indexQueryPlan(),
                false);
        this.source = source;
    }

    @Override
    public PartitionRangeReadCommand withUpdatedLimit(DataLimits newLimits) {
        return new ServedScan(this, newLimits, dataRange(), source);
    }

    @Override
    public PartitionRangeReadCommand withUpdatedLimitsAndDataRange(DataLimits newLimits, DataRange newRange) {
        return new ServedScan(this, newLimits, newRange, source);
    }

    /** Nothing of this node's store is held: the wait for rows in flight may be long. */
    @Override
    public ReadExecutionController executionController() {
        return ReadExecutionController.empty();
    }

    @Override
    public UnfilteredPartitionIterator executeLocally(ReadExecutionController controller) {
        Iterator<ImmutableBTreePartition> partitions = source.rowsFor(this).iterator();
        return limits().filter(new Partitions(partitions), nowInSec(), selectsFullPartition());
    }

    private final class Partitions extends AbstractUnfilteredPartitionIterator {
        private final Iterator<ImmutableBTreePartition> partitions;

        Partitions(Iterator<ImmutableBTreePartition> partitions) {
            this.partitions = partitions;
        }

        @Override
        public TableMetadata metadata() {
            return ServedScan.this.metadata();
        }

        @Override
        public boolean hasNext() {
            return partitions.hasNext();
        }

        @Override
        public UnfilteredRowIterator next() {
            ImmutableBTreePartition partition = partitions.next();
            return clusteringIndexFilter(partition.partitionKey()).getUnfilteredRowIterator(columnFilter(), partition);
        }
    }
}
