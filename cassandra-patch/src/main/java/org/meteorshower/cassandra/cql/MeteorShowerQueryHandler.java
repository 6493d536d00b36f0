/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.tables.SchemaGuard;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.PreparedTransactions;
import org.meteorshower.cassandra.transactions.cql.ProcedureStatement;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.SessionStatement;
import org.meteorshower.cassandra.transactions.cql.TransactionStatement;

/**
 * Cassandra's query handler with MeteorShower in front: statements that concern enabled tables are looked at, all others
 * go straight on. Made by Cassandra, before the node is up; thread-safe.
 */
public final class MeteorShowerQueryHandler implements QueryHandler {
    private static volatile @Nullable Services services;

    private final QueryProcessor cassandra = QueryProcessor.instance;
    /** Of the one handler that a node has. */
    private static final PreparedTransactions preparedTransactions = new PreparedTransactions();

    private final PlainStatements plain = new PlainStatements();
    private final DisabledMeanwhile changes = new DisabledMeanwhile();

    /** @param ready what to serve with; null when the node goes down */
    public static void serveWith(@Nullable Services ready) {
        services = ready;
    }

    /** For who says how much they may take. */
    public static PreparedTransactions preparedTransactions() {
        return preparedTransactions;
    }

    @Override
    public CQLStatement parse(String query, QueryState state, QueryOptions options) {
        ClientState client = state.getClientState().cloneWithKeyspaceIfSet(options.getKeyspace());
        if (TransactionStatement.isTransaction(query)) {
            return TransactionStatement.parse(query, client);
        } else if (SessionStatement.isOne(query)) {
            return SessionStatement.parse(query);
        } else if (Procedures.isCall(query)) {
            return requireUp(services).procedures().call(query, client);
        } else if (ProcedureStatement.isOne(query)) {
            return ProcedureStatement.parse(query, client);
        }
        CQLStatement statement = cassandra.parse(query, state, options);
        if (PlainStatements.concerns(statement)) {
            plain.remember(statement, query, client.getRawKeyspace());
        } else if (Route.of(statement, options, services) == Route.WRITE) {
            requireUp(services).writes().checkText(query);
        }
        return statement;
    }

    @Override
    public ResultMessage.Prepared prepare(
            String query, ClientState client, @Nullable Map<String, ByteBuffer> customPayload) {
        if (SessionStatement.isOne(query)) {
            throw SessionStatement.notPrepared();
        } else if (ProcedureStatement.isOne(query)) {
            throw ProcedureStatement.notPrepared();
        } else if (Procedures.isCall(query)) {
            TransactionStatement call = requireUp(services).procedures().call(query, client);
            return preparedTransactions.prepare(query, client, call);
        }
        return TransactionStatement.isTransaction(query)
                ? preparedTransactions.prepare(query, client)
                : cassandra.prepare(query, client, customPayload);
    }

    @Override
    public QueryHandler.@Nullable Prepared getPrepared(MD5Digest id) {
        QueryHandler.Prepared prepared = preparedTransactions.get(id);
        if (prepared == null) {
            prepared = cassandra.getPrepared(id);
            if (prepared != null && PlainStatements.concerns(prepared.statement)) {
                plain.remember(prepared.statement, prepared.rawCQLStatement, prepared.keyspace);
            }
        }
        return prepared;
    }

    @Override
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        if (statement instanceof SessionStatement session) {
            statement.authorize(state.getClientState());
            return requireUp(services)
                    .transactions()
                    .sessions()
                    .run(session, state.getClientState(), customPayload, requestTime);
        } else if (statement instanceof ProcedureStatement procedure) {
            statement.authorize(state.getClientState());
            return requireUp(services).procedures().run(procedure, state.getClientState());
        }
        return run(false, statement, state, options, customPayload, requestTime);
    }

    @Override
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        return run(true, statement, state, options, customPayload, requestTime);
    }

    private ResultMessage run(
            boolean prepared,
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        if (statement instanceof TransactionStatement || PlainStatements.concerns(statement)) {
            begin(prepared, statement, options);
            ResultMessage response = transact(statement, state, options, customPayload, requestTime);
            if (response != null) {
                return response;
            }
        }
        return changes.run(
                statement,
                options.getConsistency(),
                customPayload,
                requestTime,
                services,
                () -> runNow(prepared, statement, state, options, customPayload, requestTime));
    }

    private ResultMessage runNow(
            boolean prepared,
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        Route route = Route.of(statement, options, services);
        if (route == Route.CASSANDRA) {
            DisabledMeanwhile.check(statement, options.getConsistency(), services);
            guardSchema(statement, state);
            ResultMessage response = AdministratorInLine.during(
                    statement,
                    state,
                    () -> prepared
                            ? cassandra.processPrepared(statement, state, options, customPayload, requestTime)
                            : cassandra.process(statement, state, options, customPayload, requestTime));
            DisabledMeanwhile.checkAnswered(
                    statement, options.getConsistency(), services, () -> Route.of(statement, options, services));
            return response;
        }
        begin(prepared, statement, options);
        return serve(route, statement, state, options, customPayload, requestTime);
    }

    /** What Cassandra does before it runs a statement: its values get their names and must be as many, and it is counted. */
    private static void begin(boolean prepared, CQLStatement statement, QueryOptions options) {
        if (!prepared) {
            options.prepare(statement.getBindVariables()); // those of a prepared one have been given theirs
        }
        requireValues(statement, options);
        (prepared
                        ? QueryProcessor.metrics.preparedStatementsExecuted
                        : QueryProcessor.metrics.regularStatementsExecuted)
                .inc();
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        Services ready = services;
        if (PlainStatements.concerns(batch)) {
            Services up = requireUp(ready);
            return plain.run(batch, state, options, customPayload, requestTime, up.transactions(), up.tokenFormat());
        }
        return changes.run(
                batch,
                options.getConsistency(),
                customPayload,
                requestTime,
                ready,
                () -> processBatchNow(batch, state, options, customPayload, requestTime, ready));
    }

    private ResultMessage processBatchNow(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime,
            @Nullable Services ready) {
        Route route = Route.of(batch, ready);
        if (route == Route.CASSANDRA) {
            DisabledMeanwhile.check(batch, options.getConsistency(), ready);
            ResultMessage response = cassandra.processBatch(batch, state, options, customPayload, requestTime);
            DisabledMeanwhile.checkAnswered(batch, options.getConsistency(), services, () -> Route.of(batch, services));
            return response;
        }
        ClientState client = state.getClientState().cloneWithKeyspaceIfSet(options.getKeyspace());
        batch.authorize(client);
        batch.validate();
        batch.validate(client);
        Services up = requireUp(ready);
        return up.refusals().watching(Route.WRITE.operation(), () -> Route.WRITE.tableOf(batch, up), () -> up.writes()
                .write(batch, state, options, sessionOf(customPayload, up), requestTime));
    }

    /** Null if the statement is Cassandra's after all. */
    private @Nullable ResultMessage transact(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        statement.authorize(state.getClientState());
        statement.validate(state.getClientState());
        Services up = requireUp(services);
        return statement instanceof TransactionStatement transaction
                ? up.transactions().run(transaction, state, options, customPayload, requestTime)
                : plain.run(statement, state, options, customPayload, requestTime, up.transactions(), up.tokenFormat());
    }

    private static void guardSchema(CQLStatement statement, QueryState state) {
        Services ready = services;
        if (statement instanceof AlterSchemaStatement change
                && (ready == null || !ready.enabled().none())) {
            statement.authorize(state.getClientState());
            statement.validate(state.getClientState());
            SchemaGuard.check(change);
        }
    }

    private ResultMessage serve(
            Route route,
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> customPayload,
            RequestTime requestTime) {
        statement.authorize(state.getClientState());
        statement.validate(state.getClientState());
        Services up = requireUp(services);
        return up.refusals()
                .watching(
                        route.operation(),
                        () -> route.tableOf(statement, up),
                        () -> route.serve(statement, state, options, sessionOf(customPayload, up), requestTime, up));
    }

    private static Session sessionOf(@Nullable Map<String, ByteBuffer> payload, Services up) {
        return Session.of(payload, up.tokenFormat(), up.coordinatorToken());
    }

    private static Services requireUp(@Nullable Services ready) {
        if (ready == null) {
            throw Refusal.refused(
                    "the table is enabled, and MeteorShower is not running on this node. It starts with the"
                            + " node: see the node's log for why it did not, and that the -javaagent option is there.");
        }
        return ready;
    }

    private static void requireValues(CQLStatement statement, QueryOptions options) {
        if (statement.getBindVariables().size() != options.getValues().size()) {
            throw new InvalidRequestException(
                    "there were " + statement.getBindVariables().size() + " markers(?) in CQL but "
                            + options.getValues().size() + " bound variables");
        }
    }
}
