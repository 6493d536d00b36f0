/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.StoredRow;

/**
 * The rows that transactions have written, as this data centre has executed them. This, not the users' tables, is what transactions
 * go by: repairs, hints and reads with repair carry rows between data centres, which are at different places in the order.
 * A row that was deleted stays, as absent. Blocks; thread-safe.
 */
final class StateRows {
    private static final int PAGE = 500;

    /** Sessions are in no user's table, so nothing has to remember that one is gone. */
    private static final String SESSIONS = "$sessions";

    private final LogKeyspace keyspace;
    private final String readOne;
    private final String readFirst;
    private final String readNext;

    StateRows(LogKeyspace keyspace) {
        this.keyspace = keyspace;
        String table = keyspace.table("rows");
        readOne = "SELECT version, content FROM " + table + " WHERE tbl = ? AND key = ?";
        String all = "SELECT tbl, key, version, content, token(tbl, key) AS place FROM " + table;
        readFirst = all + " LIMIT " + PAGE;
        readNext = all + " WHERE token(tbl, key) > ? LIMIT " + PAGE;
    }

    /** Null where no transaction has written it. */
    @Nullable
    StoredRow read(RowKey key) {
        UntypedResultSet rows = QueryProcessor.execute(readOne, ConsistencyLevel.LOCAL_QUORUM, key.table(), key.key());
        return rows.isEmpty() ? null : row(rows.one());
    }

    /** All there are. */
    Map<RowKey, StoredRow> readAll() {
        Map<RowKey, StoredRow> all = new TreeMap<>();
        UntypedResultSet page = QueryProcessor.execute(readFirst, ConsistencyLevel.LOCAL_QUORUM);
        while (!page.isEmpty()) {
            long place = 0;
            for (UntypedResultSet.Row row : page) {
                all.put(new RowKey(row.getString("tbl"), row.getString("key")), row(row));
                place = row.getLong("place");
            }
            page = QueryProcessor.execute(readNext, ConsistencyLevel.LOCAL_QUORUM, place);
        }
        return all;
    }

    private static StoredRow row(UntypedResultSet.Row row) {
        try {
            DataIn in = new DataIn(ByteBufferUtil.getArray(row.getBlob("content")));
            Row content = LanguageCodec.readRow(in);
            in.end();
            return new StoredRow(row.getLong("version"), content);
        } catch (BadDataException e) {
            throw new IllegalStateException("a row of the transactions' state is damaged: " + e.getMessage(), e);
        }
    }

    Mutation mutation(RowKey key, StoredRow row) {
        TableMetadata table = keyspace.metadata("rows");
        DecoratedKey partition = table.partitioner.decorateKey(table.partitionKeyAsClusteringComparator()
                .make(key.table(), key.key())
                .serializeAsPartitionKey());
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), partition);
        var written = mutation.update(table).row().timestamp(row.version());
        if (key.table().equals(SESSIONS) && !row.row().exists()) {
            written.delete();
        } else {
            DataOut content = new DataOut();
            LanguageCodec.write(row.row(), content);
            written.add("version", row.version()).add("content", ByteBuffer.wrap(content.toBytes()));
        }
        return mutation.build();
    }
}
