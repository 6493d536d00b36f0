/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import com.google.common.hash.Hasher;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;

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
        fingerprint.deletion('P', update.deletionInfo().getPartitionDeletion());
        if (!update.staticRow().isEmpty()) {
            fingerprint.row(update.staticRow());
        }
        for (Row row : update) {
            fingerprint.row(row);
        }
        Iterator<RangeTombstone> ranges = update.deletionInfo().rangeIterator(false);
        while (ranges.hasNext()) {
            fingerprint.range(ranges.next());
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

    private void range(RangeTombstone range) {
        deletion('T', range.deletionTime());
        RowHash.put(content, range.deletedSlice().start());
        RowHash.put(content, range.deletedSlice().end());
        RowHash.put(cells, range.deletedSlice().start());
        RowHash.put(cells, range.deletedSlice().end());
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
