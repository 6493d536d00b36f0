/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.transactions.TransactionRunner.Kind;
import org.meteorshower.cassandra.transactions.TransactionTables;

/**
 * Statements outside of transactions, on tables that take part in them: each becomes a transaction of its own, or is refused. Never
 * is one served with less than it asked for. Thread-safe.
 */
public final class PlainStatements {
    /** At these, a read asks for no more than some copy: a snapshot is more, and where it cannot be had, Cassandra's own path serves. */
    private static final Set<ConsistencyLevel> WEAK =
            EnumSet.of(ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.NODE_LOCAL);

    /** The texts of statements, which Cassandra does not keep with them. As long as somebody holds the statement. */
    private final Map<CQLStatement, Text> texts = Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<CQLStatement, Plan> plans = Collections.synchronizedMap(new WeakHashMap<>());

    private record Text(String text, @Nullable String keyspace) {}

    /** Whether a table of the statement's takes part in transactions. Asked for each statement. */
    public static boolean concerns(@Nullable CQLStatement statement) {
        if (statement instanceof SelectStatement select) {
            return TransactionTables.isTransactional(select.table);
        } else if (statement instanceof ModificationStatement write) {
            return TransactionTables.isTransactional(write.metadata());
        } else if (statement instanceof BatchStatement batch) {
            return batch.getStatements().stream().anyMatch(PlainStatements::concerns);
        } else if (statement instanceof TruncateStatement truncate) {
            return TransactionTables.isTransactional(
                    Schema.instance.getTableMetadata(truncate.keyspace(), truncate.name()));
        }
        return false;
    }

    /** To be told of the text of each statement that {@linkplain #concerns concerns} such a table. */
    public void remember(CQLStatement statement, String text, @Nullable String keyspace) {
        texts.putIfAbsent(statement, new Text(text, keyspace));
    }

    /** Null if the statement is one that Cassandra's own path serves as well as it asks for: the caller goes there. */
    public @Nullable ResultMessage run(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime requestTime,
            Transactions transactions,
            TokenFormat tokens) {
        boolean weak = WEAK.contains(options.getConsistency());
        if (statement instanceof TruncateStatement) {
            throw Errors.invalid(
                    "TRUNCATE has no place in the order of transactions: delete the rows, or make a new table");
        }
        if (transactions.refusesPlain() && !(weak && statement instanceof SelectStatement)) {
            throw refusedBySetting();
        }
        Plan plan;
        try {
            plan = planOf(statement);
        } catch (RequestValidationException e) {
            if (statement instanceof SelectStatement && weak) {
                return null;
            }
            throw explained(statement, e);
        }
        plan.authorize(state.getClientState());
        Payload asked = Payload.of(payload, tokens, state.getClientState());
        return transactions.run(
                plan, weak || asked.isSnapshot() ? Kind.SNAPSHOT : Kind.STRICT, state, options, asked, requestTime);
    }

    /** A batch of the protocol's: one transaction. */
    public ResultMessage run(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime requestTime,
            Transactions transactions,
            TokenFormat tokens) {
        if (transactions.refusesPlain()) {
            throw refusedBySetting();
        } else if (batch.hasConditions()) {
            throw Errors.invalid(
                    "a batch with conditions: write BEGIN TRANSACTION LET row = (SELECT ...); IF row ... THEN ..."
                            + " END IF COMMIT TRANSACTION");
        }
        List<Plan> plans = new ArrayList<>();
        List<ByteBuffer> values = new ArrayList<>();
        for (int i = 0; i < batch.getStatements().size(); i++) {
            CQLStatement each = batch.getStatements().get(i);
            if (!concerns(each)) {
                throw Errors.invalid("a batch that writes into a table of transactions writes into such tables only: "
                        + batch.getStatements().get(i).metadata() + " is none. Write it apart");
            }
            Object queryOrId = options.getQueryOrIdList().get(i);
            if (queryOrId instanceof String text && !texts.containsKey(each)) {
                remember(
                        each,
                        text,
                        options.getKeyspace() != null
                                ? options.getKeyspace()
                                : state.getClientState().getRawKeyspace());
            }
            plans.add(planOf(each));
            values.addAll(options.forStatement(i).getValues());
        }
        Plan whole = Plan.joined(plans);
        whole.authorize(state.getClientState());
        QueryOptions all = QueryOptions.create(
                options.getConsistency(),
                values,
                false,
                -1,
                null,
                options.getSerialConsistency(),
                options.forStatement(0).getProtocolVersion(),
                options.getKeyspace());
        Payload asked = Payload.of(payload, tokens, state.getClientState());
        return transactions.run(whole, Kind.STRICT, state, all, asked, requestTime);
    }

    private static InvalidRequestException refusedBySetting() {
        return Errors.invalid("single statements on tables that take part in transactions are refused here"
                + " (transactions.plain_statements: refuse in meteorshower.yaml): write BEGIN TRANSACTION ... COMMIT"
                + " TRANSACTION, or read at ONE or LOCAL_ONE");
    }

    private Plan planOf(CQLStatement statement) {
        Plan known = plans.get(statement);
        if (known != null && known.isCurrent()) {
            return known;
        }
        Text text = texts.get(statement);
        if (text == null) {
            throw Errors.invalid("the text of this statement is not known any more: prepare it again");
        }
        ClientState client = text.keyspace() == null
                ? ClientState.forInternalCalls()
                : ClientState.forInternalCalls(text.keyspace());
        Plan plan =
                Compiler.compile(ScriptParser.parsePlain(text.text()), client).from(text.text());
        plans.put(statement, plan);
        return plan;
    }

    private static RequestValidationException explained(CQLStatement statement, RequestValidationException cause) {
        TableMetadata table = statement instanceof SelectStatement select
                ? select.table
                : statement instanceof ModificationStatement write ? write.metadata() : null;
        return new InvalidRequestException("MeteorShower: " + (table == null ? "a table of this statement" : table)
                + " takes part in transactions, so this statement would be one by itself, and that is not possible: "
                + String.valueOf(cause.getMessage()).replaceFirst("^MeteorShower: ", "")
                + (statement instanceof SelectStatement
                        ? " Or read at ONE or LOCAL_ONE: that is what some copy holds, and no snapshot."
                        : ""));
    }
}
