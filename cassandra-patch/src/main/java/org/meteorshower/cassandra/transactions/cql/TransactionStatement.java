/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.audit.AuditLogContext;
import org.apache.cassandra.audit.AuditLogEntryType;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;

/** A transaction, or a call of one, as Cassandra's query path handles it, up to where it is run. Thread-safe. */
public final class TransactionStatement implements CQLStatement {
    private final String text;
    private final Plan plan;

    /** Null unless it is a call. */
    private final @Nullable Called called;

    private record Called(Procedures procedures, Procedure procedure) {}

    private TransactionStatement(String text, Plan plan, @Nullable Called called) {
        this.text = text;
        this.plan = plan;
        this.called = called;
    }

    /** A call. */
    TransactionStatement(String text, Plan plan, Procedures procedures, Procedure procedure) {
        this(text, plan, new Called(procedures, procedure));
    }

    /** Whether this is the text of a transaction: cheap, asked for every statement. */
    public static boolean isTransaction(String text) {
        return Beginning.isTransaction(text);
    }

    /**
     * @throws org.apache.cassandra.exceptions.RequestValidationException saying what cannot be, and what can be done
     *     instead
     */
    public static TransactionStatement parse(String text, ClientState client) {
        return new TransactionStatement(text, Plan.of(text, client), null);
    }

    /**
     * Whether it may still be executed as it was prepared: its tables, and its procedure if it calls one, are those of
     * then.
     */
    boolean isCurrent() {
        return plan.isCurrent() && (called == null || called.procedures().isStillThere(called.procedure()));
    }

    String text() {
        return text;
    }

    Plan plan() {
        return plan;
    }

    @Override
    public List<ColumnSpecification> getBindVariables() {
        return plan.markers();
    }

    @Override
    public Iterable<Function> getFunctions() {
        List<Function> all = new ArrayList<>(plan.functions());
        plan.statements().forEach(statement -> statement.getFunctions().forEach(all::add));
        return all;
    }

    @Override
    public void authorize(ClientState client) {
        if (called != null) {
            Procedures.ensureMayCall(client, called.procedure().id());
        }
        plan.authorize(client);
    }

    @Override
    public void validate(ClientState client) {
        plan.validate(client);
    }

    @Override
    public ResultMessage execute(QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
        throw Errors.invalid(
                "this path of Cassandra's does not run transactions: send it as a query or a prepared statement");
    }

    @Override
    public ResultMessage executeLocally(QueryState state, QueryOptions options) {
        throw Errors.invalid("a transaction does not run within one node");
    }

    @Override
    public AuditLogContext getAuditLogContext() {
        return new AuditLogContext(
                AuditLogEntryType.BATCH,
                plan.tables().isEmpty() ? null : plan.tables().get(0).keyspace);
    }
}
