/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/**
 * Whole rows as they were, deletions included: a row that a range or partition tombstone shadowed carries that
 * tombstone as its own, so that an older mutation merged over it stays shadowed. A row that was not there is kept as an
 * empty row. Immutable.
 */
final class RowHistory implements History {
    /** This, and its map; and each row's entry there. */
    private static final int OWN_BYTES = 80;

    private static final int ROW_BYTES = 64;

    private final TableMetadata metadata;
    private final NavigableMap<Clustering<?>, Row> rows;
    /** Null where the static row is not covered. */
    private final @Nullable Row staticRow;

    private final long sizeBytes;

    RowHistory(TableMetadata metadata, NavigableMap<Clustering<?>, Row> rows, @Nullable Row staticRow) {
        this.metadata = metadata;
        this.rows = rows;
        this.staticRow = staticRow;
        this.sizeBytes = size(rows.values(), staticRow);
    }

    private static long size(Collection<Row> rows, @Nullable Row staticRow) {
        long bytes = OWN_BYTES + (staticRow == null ? 0 : staticRow.unsharedHeapSize());
        for (Row row : rows) {
            bytes += ROW_BYTES + row.unsharedHeapSize();
        }
        return bytes;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    static RowHistory nothing(TableMetadata metadata) {
        return new RowHistory(metadata, emptyRows(metadata), null);
    }

    static NavigableMap<Clustering<?>, Row> emptyRows(TableMetadata metadata) {
        return new TreeMap<>(metadata.comparator);
    }

    Collection<Row> rows() {
        return rows.values();
    }

    @Nullable
    Row staticRow() {
        return staticRow;
    }

    boolean holds(Clustering<?> clustering) {
        return rows.containsKey(clustering);
    }

    @Override
    public boolean covers(Update update) {
        CassandraUpdate touched = (CassandraUpdate) update;
        if (!touched.isRowwise() || (touched.touchesStaticRow() && staticRow == null)) {
            return false;
        }
        return touched.clusterings().stream().allMatch(rows::containsKey);
    }

    @Override
    public boolean coversRow(long row) {
        if (row == Update.ANY_ROW) {
            return false;
        }
        if (staticRow != null && row == RowHash.of(Clustering.STATIC_CLUSTERING)) {
            return true;
        }
        // Rows in flight at one time in one partition are few.
        return rows.keySet().stream().anyMatch(clustering -> RowHash.of(clustering) == row);
    }

    @Override
    public History extendedBy(History later) {
        RowHistory that = (RowHistory) later;
        NavigableMap<Clustering<?>, Row> union = emptyRows(metadata);
        union.putAll(that.rows);
        union.putAll(rows);
        return new RowHistory(metadata, union, staticRow != null ? staticRow : that.staticRow);
    }

    @Override
    public History absorbing(Update retired, Collection<Update> remaining) {
        PartitionUpdate update = ((CassandraUpdate) retired).partitionUpdate();
        NavigableMap<Clustering<?>, Row> kept = emptyRows(metadata);
        boolean keepStatic = false;
        for (Update each : remaining) {
            CassandraUpdate other = (CassandraUpdate) each;
            keepStatic |= other.touchesStaticRow();
            for (Clustering<?> clustering : other.clusterings()) {
                Row row = rows.get(clustering);
                if (row != null) {
                    kept.computeIfAbsent(clustering, unused -> absorb(row, update));
                }
            }
        }
        // A static row cannot carry a deletion, so one that a partition deletion reaches is covered no longer.
        Row oldStatic =
                keepStatic && update.deletionInfo().getPartitionDeletion().isLive() ? staticRow : null;
        Row newStatic = oldStatic == null ? null : merged(oldStatic, update.staticRow());
        return new RowHistory(metadata, kept, newStatic);
    }

    /** Whether it would be the same with the update as without it: all that this writes is there, or overwritten. */
    boolean shows(CassandraUpdate each) {
        PartitionUpdate update = each.partitionUpdate();
        return covers(each)
                && (staticRow == null || merged(staticRow, update.staticRow()).equals(staticRow))
                && each.clusterings().stream()
                        .map(rows::get)
                        .allMatch(row -> row != null && absorb(row, update).equals(row));
    }

    private static Row absorb(Row row, PartitionUpdate update) {
        DeletionTime deletion = update.deletionInfo().getPartitionDeletion();
        RangeTombstone range = update.deletionInfo().rangeCovering(row.clustering());
        if (range != null && range.deletionTime().supersedes(deletion)) {
            deletion = range.deletionTime();
        }
        return merged(shadowed(row, deletion), update.getRow(row.clustering()));
    }

    /** The row with a deletion from outside it made its own. */
    static Row shadowed(Row row, DeletionTime deletion) {
        return deletion.isLive()
                ? row
                : Rows.merge(row, BTreeRow.emptyDeletedRow(row.clustering(), Row.Deletion.regular(deletion)));
    }

    private static Row merged(Row row, @Nullable Row over) {
        return over == null || over.isEmpty() ? row : Rows.merge(row, over);
    }

    /** The history's rows with the visible updates over them. */
    PartitionUpdate mergedWith(Collection<Update> visible, DecoratedKey key) {
        PartitionUpdate.Builder builder = new PartitionUpdate.Builder(
                metadata, key, metadata.regularAndStaticColumns(), rows.size() + visible.size());
        if (staticRow != null) {
            builder.add(staticRow);
        }
        rows.values().forEach(builder::add);
        for (Update each : visible) {
            PartitionUpdate update = ((CassandraUpdate) each).partitionUpdate();
            builder.addPartitionDeletion(update.deletionInfo().getPartitionDeletion());
            update.deletionInfo().rangeIterator(false).forEachRemaining(builder::add);
            builder.add(update.staticRow());
            for (Row row : update) {
                builder.add(row);
            }
        }
        return builder.build();
    }
}
