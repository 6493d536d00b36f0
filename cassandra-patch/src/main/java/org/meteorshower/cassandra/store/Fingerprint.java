/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import com.google.common.hash.Hasher;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/**
 * One walk over a partition update that finds its timestamps, a digest of all it writes, and a hash of which cells it
 * writes. Equal on every replica: it depends on content alone, not on how the update is encoded or which columns its
 * header lists. Used by one thread, once.
 */
final class Fingerprint {
    private final Hasher content = RowHash.newHasher();
    private final Hasher cells = RowHash.newHasher();
    private long newestMicros = Long.MIN_VALUE;
    private long oldestMicros = Long.MAX_VALUE;

    private Fingerprint() {}

    static Fingerprint of(PartitionUpdate update) {
        Fingerprint fingerprint = new Fingerprint();
        if (update.deletionInfo().isLive()) {
            fingerprint.staticRow(update.staticRow());
            for (Row row : update) {
                fingerprint.row(row);
            }
            return fingerprint;
        }
        fingerprint.deletion('P', update.deletionInfo().getPartitionDeletion());
        // As it is encoded: without the rows and ranges that the update itself deletes, and with equal ranges merged.
        // The
        // coordinator's own replica gets it with them, all others without.
        try (UnfilteredRowIterator encoded = update.unfilteredIterator()) {
            fingerprint.staticRow(encoded.staticRow());
            while (encoded.hasNext()) {
                Unfiltered next = encoded.next();
                if (next instanceof Row row) {
                    fingerprint.row(row);
                } else {
                    fingerprint.marker((RangeTombstoneMarker) next);
                }
            }
        }
        return fingerprint;
    }

    long digest() {
        return content.hash().asLong();
    }

    long shape() {
        return cells.hash().asLong();
    }

    /** The largest timestamp, or 0 for an update that writes nothing. */
    long newestMicros() {
        return newestMicros == Long.MIN_VALUE ? 0 : newestMicros;
    }

    long oldestMicros() {
        return oldestMicros == Long.MAX_VALUE ? 0 : oldestMicros;
    }

    private void staticRow(Row row) {
        if (!row.isEmpty()) {
            row(row);
        }
    }

    private void row(Row row) {
        mark('R');
        RowHash.put(content, row.clustering());
        RowHash.put(cells, row.clustering());
        liveness(row.primaryKeyLivenessInfo());
        deletion('D', row.deletion().time());
        for (ColumnData data : row) {
            mark('C');
            name(data.column().name.bytes);
            if (data instanceof ComplexColumnData complex) {
                deletion('X', complex.complexDeletion());
                for (Cell<?> cell : complex) {
                    cell(cell);
                }
            } else {
                cell((Cell<?>) data);
            }
        }
    }

    private void liveness(LivenessInfo info) {
        if (info.isEmpty()) {
            return;
        }
        mark('L');
        timestamp(info.timestamp());
        content.putInt(info.ttl()).putLong(info.isExpiring() ? info.localExpirationTime() : 0);
    }

    private void deletion(char kind, DeletionTime deletion) {
        if (deletion.isLive()) {
            return;
        }
        mark(kind);
        timestamp(deletion.markedForDeleteAt());
        content.putLong(deletion.localDeletionTime());
    }

    /** Where ranges of rows begin or end to be deleted, or both. */
    private void marker(RangeTombstoneMarker marker) {
        mark('T');
        RowHash.put(content, marker.clustering());
        RowHash.put(cells, marker.clustering());
        if (marker.isClose(false)) {
            deletion('c', marker.closeDeletionTime(false));
        }
        if (marker.isOpen(false)) {
            deletion('o', marker.openDeletionTime(false));
        }
    }

    private void cell(Cell<?> cell) {
        mark(cell.isTombstone() ? 'd' : 'v');
        if (cell.path() != null) {
            for (int i = 0; i < cell.path().size(); i++) {
                name(cell.path().get(i));
            }
        }
        timestamp(cell.timestamp());
        content.putInt(cell.ttl()).putLong(cell.localDeletionTime());
        RowHash.put(content, cell.buffer());
    }

    private void mark(char kind) {
        content.putChar(kind);
        cells.putChar(kind);
    }

    private void name(ByteBuffer bytes) {
        RowHash.put(content, bytes);
        RowHash.put(cells, bytes);
    }

    private void timestamp(long micros) {
        content.putLong(micros);
        newestMicros = Math.max(newestMicros, micros);
        oldestMicros = Math.min(oldestMicros, micros);
    }
}
