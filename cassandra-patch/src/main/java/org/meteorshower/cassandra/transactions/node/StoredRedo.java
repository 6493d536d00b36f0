/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.StoredRow;

/** What was about to be written to the tables when the last process ended. Blocks; used by one thread. */
final class StoredRedo {
    private record Name(long count, long life) {}

    private record Left(int chunks, int present) {}

    private final LogKeyspace keyspace;

    StoredRedo(LogKeyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** The newest one that is whole; null where none is newer than the checkpoint. One that is not whole was never acted on. */
    Durable.@Nullable Redo newerThan(long count) throws BadDataException {
        Map<Name, Left> all = new HashMap<>();
        for (UntypedResultSet.Row row : QueryProcessor.process(
                "SELECT count, life, chunk, chunks FROM " + keyspace.table("redo") + " WHERE part = "
                        + LogKeyspace.PARTITION + " AND count > " + count,
                ConsistencyLevel.LOCAL_QUORUM)) {
            all.merge(
                    new Name(row.getLong("count"), row.getLong("life")),
                    new Left(row.getInt("chunks"), 1),
                    (a, b) -> new Left(a.chunks, a.present + b.present));
        }
        Name newest = null;
        int chunks = 0;
        for (Map.Entry<Name, Left> each : all.entrySet()) {
            Left left = each.getValue();
            if (left.present == left.chunks && (newest == null || each.getKey().count > newest.count)) {
                newest = each.getKey();
                chunks = left.chunks;
            }
        }
        return newest == null ? null : read(newest, chunks);
    }

    private Durable.Redo read(Name name, int chunks) throws BadDataException {
        Map<RowKey, StoredRow> rows = new HashMap<>();
        Checkpoint checkpoint = null;
        for (int chunk = 0; chunk < chunks; chunk++) {
            UntypedResultSet.Row row = QueryProcessor.process(
                            "SELECT content FROM " + keyspace.table("redo") + " WHERE part = " + LogKeyspace.PARTITION
                                    + " AND count = " + name.count + " AND life = " + name.life + " AND chunk = "
                                    + chunk,
                            ConsistencyLevel.LOCAL_QUORUM)
                    .one();
            DataIn in = new DataIn(ByteBufferUtil.getArray(row.getBlob("content")));
            checkpoint = StoreCodec.readCheckpoint(in);
            rows.putAll(StoreCodec.readRows(in));
            in.end();
        }
        if (checkpoint == null) {
            throw new BadDataException("a redo record without a chunk");
        }
        return new Durable.Redo(checkpoint, rows);
    }
}
