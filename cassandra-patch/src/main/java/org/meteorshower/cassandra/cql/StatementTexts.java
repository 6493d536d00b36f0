/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.ProcedureStatement;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.SessionStatement;
import org.meteorshower.cassandra.transactions.cql.TransactionStatement;

/** Makes statements of texts: those that Cassandra does not know here, all others there. Thread-safe. */
public final class StatementTexts {
    private final QueryHandler cassandra;
    private final KnownStatements known;
    private final @Nullable Procedures procedures;
    private final BiConsumer<CQLStatement, String> parsed;

    /**
     * @param procedures null while MeteorShower does not run; calls are refused then
     * @param parsed hears of each statement that Cassandra has parsed and that is no transaction by itself, with its
     *     text, and may refuse it
     */
    public StatementTexts(
            QueryHandler cassandra,
            KnownStatements known,
            @Nullable Procedures procedures,
            BiConsumer<CQLStatement, String> parsed) {
        this.cassandra = cassandra;
        this.known = known;
        this.procedures = procedures;
        this.parsed = parsed;
    }

    static StatementTexts closed(QueryHandler cassandra, KnownStatements known) {
        return new StatementTexts(cassandra, known, null, (statement, text) -> {});
    }

    /** Errors as of {@link QueryHandler#parse}. */
    CQLStatement parse(String text, QueryState state, QueryOptions options) {
        ClientState client = state.getClientState().cloneWithKeyspaceIfSet(options.getKeyspace());
        if (TransactionStatement.isTransaction(text)) {
            return TransactionStatement.parse(text, client);
        } else if (SessionStatement.isOne(text)) {
            return SessionStatement.parse(text);
        } else if (Procedures.isCall(text)) {
            return requireProcedures().call(text, client);
        } else if (ProcedureStatement.isOne(text)) {
            return ProcedureStatement.parse(text, client);
        }
        CQLStatement statement = cassandra.parse(text, state, options);
        if (PlainStatements.mayConcern(statement)) {
            known.texts().remember(statement, text, client.getRawKeyspace());
        }
        if (!PlainStatements.concerns(statement)) {
            parsed.accept(statement, text);
        }
        return statement;
    }

    /** Errors as of {@link QueryHandler#prepare}. */
    ResultMessage.Prepared prepare(String text, ClientState client, @Nullable Map<String, ByteBuffer> payload) {
        if (SessionStatement.isOne(text)) {
            throw SessionStatement.notPrepared();
        } else if (ProcedureStatement.isOne(text)) {
            throw ProcedureStatement.notPrepared();
        } else if (Procedures.isCall(text)) {
            return known.prepared().prepare(text, client, requireProcedures().call(text, client));
        }
        return TransactionStatement.isTransaction(text)
                ? known.prepared().prepare(text, client)
                : cassandra.prepare(text, client, payload);
    }

    /** Null if neither this node's transactions nor Cassandra know it. */
    QueryHandler.@Nullable Prepared getPrepared(MD5Digest id) {
        QueryHandler.Prepared transaction = known.prepared().get(id);
        if (transaction != null) {
            return transaction;
        }
        QueryHandler.Prepared prepared = cassandra.getPrepared(id);
        if (prepared != null && PlainStatements.mayConcern(prepared.statement)) {
            known.texts().remember(prepared.statement, prepared.rawCQLStatement, prepared.keyspace);
        }
        return prepared;
    }

    private Procedures requireProcedures() {
        if (procedures == null) {
            throw Refusal.notRunning();
        }
        return procedures;
    }
}
