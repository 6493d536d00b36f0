/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.request;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client, as Cassandra's native transport hands it over. Used by the request's own thread.
 *
 * @param options of a single statement and of a batch alike; those of a single one are the same for each index
 * @param payload the native protocol's custom payload; null where the client sent none
 * @param time when it came, from which its deadline follows
 */
public record ClientRequest(
        Way way,
        CQLStatement statement,
        QueryState state,
        BatchQueryOptions options,
        @Nullable Map<String, ByteBuffer> payload,
        RequestTime time) {

    /** How it came. */
    public enum Way {
        /** A statement as text, a whole batch written as one text included. */
        TEXT,
        /** The id of a statement that was prepared. */
        PREPARED,
        /** The native protocol's batch: statements, texts or ids, each with values of its own. */
        BATCH
    }

    public static ClientRequest text(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime time) {
        return new ClientRequest(
                Way.TEXT, statement, state, BatchQueryOptions.withoutPerStatementVariables(options), payload, time);
    }

    public static ClientRequest prepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime time) {
        return new ClientRequest(
                Way.PREPARED, statement, state, BatchQueryOptions.withoutPerStatementVariables(options), payload, time);
    }

    public static ClientRequest batch(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime time) {
        return new ClientRequest(Way.BATCH, batch, state, options, payload, time);
    }

    /** Who asks. */
    public ClientState client() {
        return state.getClientState();
    }

    /** The options of a request that is one statement or one text. */
    public QueryOptions only() {
        return options.forStatement(0);
    }

    /** The same, at another level, as if it had come just now: what was waited for before does not count. */
    public ClientRequest again(ConsistencyLevel level) {
        return new ClientRequest(
                way,
                statement,
                state,
                BatchQueryOptions.withoutPerStatementVariables(Options.at(level, only())),
                payload,
                RequestTime.forImmediateExecution());
    }

    /** Null where the protocol's message had none. */
    public @Nullable ConsistencyLevel level() {
        return options.getConsistency();
    }

    /**
     * What Cassandra does before it executes a statement: its values get their names and must be as many, it is
     * counted, and the client must be allowed to say it. Not for requests that Cassandra executes itself.
     *
     * @throws org.apache.cassandra.exceptions.RequestValidationException if the client may not, or the statement makes
     *     no sense
     */
    public void admit() {
        ClientState asking = client();
        if (way == Way.BATCH) {
            asking = asking.cloneWithKeyspaceIfSet(options.getKeyspace());
        } else {
            begin();
        }
        statement.authorize(asking);
        if (way == Way.BATCH && statement instanceof BatchStatement batch) {
            batch.validate(); // of a text it is done where it is parsed
        }
        statement.validate(asking);
    }

    private void begin() {
        QueryOptions values = only();
        if (way == Way.TEXT) {
            values.prepare(statement.getBindVariables()); // those of a prepared one have been given theirs
        }
        if (statement.getBindVariables().size() != values.getValues().size()) {
            throw new InvalidRequestException(
                    "there were " + statement.getBindVariables().size() + " markers(?) in CQL but "
                            + values.getValues().size() + " bound variables");
        }
        (way == Way.TEXT
                        ? QueryProcessor.metrics.regularStatementsExecuted
                        : QueryProcessor.metrics.preparedStatementsExecuted)
                .inc();
    }
}
