/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.schema.ColumnMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.Value;

/**
 * How long cells in the users' table stay by themselves.
 *
 * @param seconds their TTL
 * @param untilSeconds since 1970
 */
record CellLife(int seconds, long untilSeconds) {
    /**
     * Between a value's end and that of its cell: the order takes the value away first, for all at one place. The
     * cell's own end is only for who reads the table after it has been taken out of transactions, and for when the
     * order is not moving.
     */
    static final int MARGIN_SECONDS = 3600;

    private static final CellLife FOR_GOOD = new CellLife(Cell.NO_TTL, Cell.NO_DELETION_TIME);

    /** Of a column's cells. Where their time has passed they count as deleted. */
    static CellLife of(Row row, String column, long nowSeconds) {
        if (!(row.columns().get(column) instanceof Value.Expiring expiring)) {
            return FOR_GOOD;
        }
        long end = -Math.floorDiv(-expiring.untilMillis(), 1000L) + MARGIN_SECONDS; // rounded up
        long until = Math.min(end, Cell.getVersionedMaxDeletiontionTime());
        return new CellLife((int) Math.max(1, Math.min(until - nowSeconds, Attributes.MAX_TTL)), until);
    }

    Cell<?> cell(ColumnMetadata column, long timestampMicros, ByteBuffer value, @Nullable CellPath path) {
        return new BufferCell(column, timestampMicros, seconds, untilSeconds, value, path);
    }

    LivenessInfo liveness(long timestampMicros) {
        return LivenessInfo.withExpirationTime(timestampMicros, seconds, untilSeconds);
    }
}
