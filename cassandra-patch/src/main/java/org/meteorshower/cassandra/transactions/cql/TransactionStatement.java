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

/** A transaction as Cassandra's query path handles it, up to where it is run. Thread-safe. */
public final class TransactionStatement implements CQLStatement {
    private final String text;
    private final Plan plan;

    TransactionStatement(String text, Plan plan) {
        this.text = text;
        this.plan = plan;
    }

    /** Whether this is the text of a transaction: cheap, asked for every statement. */
    public static boolean isTransaction(String text) {
        return Beginning.isTransaction(text);
    }

    /** @throws org.apache.cassandra.exceptions.RequestValidationException saying what cannot be, and what can be done instead */
    public static TransactionStatement parse(String text, ClientState client) {
        return new TransactionStatement(text, Plan.of(text, client));
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
