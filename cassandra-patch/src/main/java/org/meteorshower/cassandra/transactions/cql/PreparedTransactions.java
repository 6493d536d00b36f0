/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.LinkedHashMap;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.jspecify.annotations.Nullable;

/**
 * Prepared transactions, by ids that are Cassandra's: of the keyspace and the text, so the same on all nodes and after
 * a restart. One that is forgotten (restart, change of a table, too many) is not known any more, and drivers prepare it
 * again. Thread-safe.
 */
public final class PreparedTransactions {
    /** What the texts may take together, until another limit is set. */
    private static final long MOST_BYTES = 32 << 20;

    /** What is taken for a character, and for a prepared one beside its text. */
    private static final int BYTES_PER_CHAR = 24;

    private static final int BYTES_EACH = 4_096;

    /** The one used longest ago first. Guarded by itself. */
    private final LinkedHashMap<MD5Digest, QueryHandler.Prepared> prepared = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private long mostBytes = MOST_BYTES;

    /** From now on they take no more than this together; one of any size is kept. */
    public void limit(long most) {
        synchronized (prepared) {
            mostBytes = most;
            forgetSome();
        }
    }

    /** What they take. */
    public long bytes() {
        synchronized (prepared) {
            return bytes;
        }
    }

    private void forgetSome() {
        while (bytes > mostBytes && prepared.size() > 1) {
            remove(prepared.keySet().iterator().next());
        }
    }

    public ResultMessage.Prepared prepare(String text, ClientState client) {
        return prepare(text, client, TransactionStatement.parse(text, client));
    }

    /** @param statement what this text is to this client */
    public ResultMessage.Prepared prepare(String text, ClientState client, TransactionStatement statement) {
        statement.validate(client);
        String keyspace = client.getRawKeyspace();
        MD5Digest id = MD5Digest.compute(keyspace == null ? text : keyspace + text);
        put(id, new QueryHandler.Prepared(statement, text, keyspace == null, keyspace));
        ResultSet.ResultMetadata shape = statement.plan().result().shape();
        return new ResultMessage.Prepared(
                id, shape.getResultMetadataId(), ResultSet.PreparedMetadata.fromPrepared(statement), shape);
    }

    /** Null if it is none of these, or was forgotten. */
    public QueryHandler.@Nullable Prepared get(MD5Digest id) {
        synchronized (prepared) {
            QueryHandler.Prepared known = prepared.get(id);
            if (known != null && !((TransactionStatement) known.statement).isCurrent()) {
                remove(id);
                return null;
            }
            return known;
        }
    }

    private void put(MD5Digest id, QueryHandler.Prepared added) {
        synchronized (prepared) {
            remove(id);
            prepared.put(id, added);
            bytes += bytesOf(added);
            forgetSome();
        }
    }

    private void remove(MD5Digest id) {
        QueryHandler.Prepared removed = prepared.remove(id);
        if (removed != null) {
            bytes -= bytesOf(removed);
        }
    }

    private static long bytesOf(QueryHandler.Prepared each) {
        return BYTES_EACH + (long) BYTES_PER_CHAR * each.rawCQLStatement.length();
    }
}
