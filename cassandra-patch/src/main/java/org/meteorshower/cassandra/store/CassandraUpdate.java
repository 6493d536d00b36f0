/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * A partition update of Cassandra's, as the protocol sees it. Immutable, but for the bytes that it may carry for a
 * while.
 */
public final class CassandraUpdate implements Update {
    /** This, the partition update's own object, its key and its deletions; Cassandra counts its rows. */
    private static final int OVERHEAD_BYTES = 300;

    private final PartitionUpdate update;
    private final PartitionKey key;
    private final MutationId id;
    private final long oldestTimestampMicros;
    private final long shape;
    private final long row;
    private final int sizeBytes;

    /** Its serialized form, until somebody wants it; null: not made yet, or given away. */
    private byte @Nullable [] bytes;

    /** @param table what the middleware calls the table that it belongs to */
    public CassandraUpdate(UUID table, PartitionUpdate update) {
        Fingerprint fingerprint = Fingerprint.of(update);
        this.update = update;
        this.key = keyOf(table, update.partitionKey().getKey());
        this.id = new MutationId(fingerprint.newestMicros(), fingerprint.digest());
        this.oldestTimestampMicros = fingerprint.oldestMicros();
        this.shape = fingerprint.shape();
        this.row = onlyRow(update);
        this.sizeBytes = (int) Math.min(Integer.MAX_VALUE, OVERHEAD_BYTES + update.unsharedHeapSize());
    }

    public static PartitionKey keyOf(UUID table, ByteBuffer key) {
        return new PartitionKey(table, ByteBufferUtil.getArray(key));
    }

    /**
     * To be called by the thread that has made the update, and before any other knows it: the journal writes it under a
     * lock.
     */
    void serializeAhead() {
        bytes = CassandraUpdateCodec.serialized(this);
    }

    /** The bytes made ahead, for the first who asks: nobody is to keep them in memory. */
    byte @Nullable [] takeBytes() {
        byte[] taken = bytes;
        bytes = null;
        return taken;
    }

    public PartitionUpdate partitionUpdate() {
        return update;
    }

    /** Whether it writes rows only: no range, and no whole partition that may hold more than one row, is deleted. */
    boolean isRowwise() {
        return !update.deletionInfo().hasRanges()
                && (hasSingleRowPartitions()
                        || update.deletionInfo().getPartitionDeletion().isLive());
    }

    boolean touchesStaticRow() {
        return !update.staticRow().isEmpty();
    }

    /** The regular rows it writes. Complete only if {@link #isRowwise()}. */
    List<Clustering<?>> clusterings() {
        List<Clustering<?>> clusterings = new ArrayList<>();
        for (Row each : update) {
            clusterings.add(each.clustering());
        }
        if (clusterings.isEmpty() && !update.deletionInfo().isLive() && hasSingleRowPartitions()) {
            // A table without clustering columns: deleting the row is deleting the partition.
            clusterings.add(Clustering.EMPTY);
        }
        return clusterings;
    }

    private boolean hasSingleRowPartitions() {
        return update.metadata().clusteringColumns().isEmpty();
    }

    private static long onlyRow(PartitionUpdate update) {
        if (update.metadata().clusteringColumns().isEmpty()) {
            return RowHash.of(Clustering.EMPTY);
        }
        if (!update.deletionInfo().isLive()) {
            return ANY_ROW;
        }
        Clustering<?> only = update.staticRow().isEmpty() ? null : Clustering.STATIC_CLUSTERING;
        for (Row each : update) {
            if (only != null) {
                return ANY_ROW;
            }
            only = each.clustering();
        }
        return only == null ? ANY_ROW : RowHash.of(only);
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    @Override
    public MutationId id() {
        return id;
    }

    @Override
    public long oldestTimestampMicros() {
        return oldestTimestampMicros;
    }

    @Override
    public long shape() {
        return shape;
    }

    @Override
    public long row() {
        return row;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public String toString() {
        return update.metadata() + " " + key + " @" + id.timestampMicros();
    }
}
