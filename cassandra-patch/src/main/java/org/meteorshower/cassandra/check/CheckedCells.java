/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.check;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.store.RowHash;
import org.meteorshower.onlinecheck.Answer;
import org.meteorshower.onlinecheck.CellName;
import org.meteorshower.onlinecheck.Version;
import org.meteorshower.onlinecheck.WrittenCells;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * Cassandra's mutations and answers as the online checker compares them: simple cells of regular columns. Static
 * columns, and collections that consist of cells of their own, are left out.
 */
public final class CheckedCells {
    private static final HashFunction HASH = Hashing.murmur3_128(0x6f63);

    private CheckedCells() {}

    /** What the update writes. */
    public static WrittenCells of(Update update) {
        PartitionUpdate written = ((CassandraUpdate) update).partitionUpdate();
        long hidesUpToMicros = written.deletionInfo().isLive()
                ? WrittenCells.HIDES_NOTHING
                : written.deletionInfo().maxTimestamp();
        Map<CellName, Version> cells = new HashMap<>();
        for (Row row : written) {
            if (!row.deletion().isLive()) {
                hidesUpToMicros =
                        Math.max(hidesUpToMicros, row.deletion().time().markedForDeleteAt());
            }
            long hash = RowHash.of(row.clustering());
            for (ColumnData data : row) {
                if (data instanceof Cell<?> cell) {
                    cells.put(nameOf(hash, cell.column()), versionOf(cell));
                    if (cell.isExpiring()) {
                        hidesUpToMicros = Math.max(hidesUpToMicros, cell.timestamp());
                    }
                }
            }
        }
        return new WrittenCells(cells, hidesUpToMicros);
    }

    /**
     * What a read has returned.
     *
     * @param onlyRow the hash of the only row that the command can return, or {@link Update#ANY_ROW}
     * @param rows null: none
     */
    static Answer of(
            PartitionKey key,
            long tokenMicros,
            long cutMicros,
            SinglePartitionReadCommand command,
            long onlyRow,
            @Nullable FilteredPartition rows) {
        Map<CellName, Version> cells = new HashMap<>();
        Set<Long> columns = new HashSet<>();
        for (ColumnMetadata column : command.columnFilter().queriedColumns().regulars) {
            // Of one that was dropped, and is there again, older cells are hidden.
            if (!column.isComplex() && command.metadata().getDroppedColumn(column.name.bytes) == null) {
                columns.add(hash(column.name.bytes));
            }
        }
        if (rows != null) {
            for (Row row : rows) {
                long hash = RowHash.of(row.clustering());
                for (ColumnData data : row) {
                    if (data instanceof Cell<?> cell && columns.contains(hash(cell.column().name.bytes))) {
                        cells.put(nameOf(hash, cell.column()), versionOf(cell));
                    }
                }
            }
        }
        boolean isWhole = onlyRow != Update.ANY_ROW && command.rowFilter().isEmpty();
        return new Answer(key, tokenMicros, cutMicros, cells, isWhole ? Set.of(onlyRow) : Set.of(), columns);
    }

    private static CellName nameOf(long row, ColumnMetadata column) {
        return new CellName(row, hash(column.name.bytes));
    }

    private static Version versionOf(Cell<?> cell) {
        return new Version(cell.timestamp(), hash(cell.buffer()), !cell.isTombstone());
    }

    private static long hash(ByteBuffer bytes) {
        return HASH.hashBytes(bytes.duplicate()).asLong();
    }
}
