/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.cassandra.db.BufferClusteringBound;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.serializers.MarshalException;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/**
 * A range as Cassandra reads it of a users' table that has clustering columns. What does not fit the table leaves it
 * open: then it has more rows than the range.
 */
record RangeSlice(TableMetadata table, DecoratedKey partition, Slice slice, boolean backward) {
    /** Written to disk: it must not change with Cassandra's version. */
    private static final ByteComparable.Version FORM = ByteComparable.Version.OSS50;

    /** @param after the row behind which it begins, in the direction in which it is read; null for its beginning */
    static RangeSlice of(TableMetadata table, Range range, @Nullable RowKey after) {
        ClusteringBound<?> start = bound(table, range.from(), true);
        ClusteringBound<?> end = bound(table, range.to(), false);
        if (after != null) {
            ByteBuffer[] place = RowForm.clusteringOf(table, after).getBufferArray();
            if (range.backward()) {
                end = BufferClusteringBound.exclusiveEndOf(place);
            } else {
                start = BufferClusteringBound.exclusiveStartOf(place);
            }
        }
        ByteBuffer partition =
                ByteBuffer.wrap(HexFormat.of().parseHex(range.partition().partition()));
        return new RangeSlice(
                table, table.partitioner.decorateKey(partition), Slice.make(start, end), range.backward());
    }

    private static ClusteringBound<?> bound(TableMetadata table, Range.Edge edge, boolean isStart) {
        List<Value.Typed> values = edge.values();
        ClusteringBound<?> open = isStart ? ClusteringBound.BOTTOM : ClusteringBound.TOP;
        if (values.isEmpty() || values.size() > table.comparator.size()) {
            return open;
        }
        ByteBuffer[] buffers = values.stream()
                .map(value -> ByteBuffer.wrap(value.bytes().toArray()))
                .toArray(ByteBuffer[]::new);
        ClusteringPrefix.Kind kind = ClusteringBound.boundKind(isStart, edge.included());
        ClusteringBound<?> bound = BufferClusteringBound.create(kind, buffers);
        try {
            table.comparator.validate(bound);
            return bound;
        } catch (MarshalException e) {
            return open;
        }
    }

    /** Where a row stands among those of its partition; none stands at a slice's bounds. */
    static ByteBuffer place(TableMetadata table, Clustering<?> clustering) {
        return bytes(table, clustering);
    }

    private static ByteBuffer bytes(TableMetadata table, ClusteringPrefix<?> prefix) {
        return ByteBuffer.wrap(ByteSourceInverse.readBytes(
                table.comparator.asByteComparable(prefix).asComparableBytes(FORM)));
    }

    Stretch stretch() {
        return new Stretch(bytes(table, slice.start()), bytes(table, slice.end()));
    }

    /**
     * Reads from a quorum of this data centre's replicas. Blocks.
     *
     * @param nowSeconds what has expired by then is left out
     */
    List<PlacedKey> read(long nowSeconds, int most) {
        if (slice.isEmpty(table.comparator) || HomeReplica.hasNothing(table, partition)) {
            return List.of();
        }
        List<PlacedKey> keys = new ArrayList<>();
        try (PartitionIterator partitions = StorageProxy.read(
                SinglePartitionReadCommand.Group.create(List.of(command(nowSeconds, most)), DataLimits.NONE),
                ConsistencyLevel.LOCAL_QUORUM,
                Dispatcher.RequestTime.forImmediateExecution())) {
            while (partitions.hasNext()) {
                try (RowIterator rows = partitions.next()) {
                    while (rows.hasNext()) {
                        Clustering<?> clustering = rows.next().clustering();
                        RowKey key = RowForm.keyOf(table, partition.getKey(), clustering);
                        // Of the key's clustering: one that is written in another way is the same row.
                        keys.add(new PlacedKey(place(table, RowForm.clusteringOf(table, key)), key));
                    }
                }
            }
        }
        return keys;
    }

    /** No column is told, but each row is looked at for whether it has any. */
    private SinglePartitionReadCommand command(long nowSeconds, int most) {
        return SinglePartitionReadCommand.create(
                table,
                nowSeconds,
                ColumnFilter.selection(table, RegularAndStaticColumns.NONE, false),
                RowFilter.none(),
                DataLimits.cqlLimits(most),
                partition,
                new ClusteringIndexSliceFilter(Slices.with(table.comparator, slice), backward));
    }
}
