/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.audit.AuditLogContext;
import org.apache.cassandra.audit.AuditLogEntryType;
import org.apache.cassandra.auth.FunctionResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * {@code CREATE PROCEDURE name VERSION n AS $$ … $$}, and {@code DROP PROCEDURE [IF EXISTS] name VERSION n}.
 * Thread-safe.
 */
public final class ProcedureStatement implements CQLStatement {
    private final ProcedureSyntax.Change change;

    private ProcedureStatement(ProcedureSyntax.Change change) {
        this.change = change;
    }

    /** Whether this is the text of one: cheap, asked for every statement. */
    public static boolean isOne(String text) {
        return Beginning.isAboutProcedures(text);
    }

    /** @throws RequestValidationException saying how it is written */
    public static ProcedureStatement parse(String text, ClientState client) {
        return new ProcedureStatement(ProcedureSyntax.change(text, client.getRawKeyspace()));
    }

    public static InvalidRequestException notPrepared() {
        return Errors.invalid("CREATE and DROP PROCEDURE are not prepared: send them as they are");
    }

    ProcedureSyntax.Change change() {
        return change;
    }

    /** As Cassandra for functions of the keyspace. */
    @Override
    public void authorize(ClientState client) {
        client.ensurePermission(
                change.body() == null ? Permission.DROP : Permission.CREATE,
                FunctionResource.keyspace(change.id().keyspace()));
    }

    @Override
    public void validate(ClientState client) {
        // what can be wrong with it is seen where it is parsed or run
    }

    @Override
    public ResultMessage execute(QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
        throw Errors.invalid("this path of Cassandra's knows no procedures: send the statement as a query");
    }

    @Override
    public ResultMessage executeLocally(QueryState state, QueryOptions options) {
        throw Errors.invalid("procedures are not a single node's");
    }

    @Override
    public AuditLogContext getAuditLogContext() {
        return new AuditLogContext(
                change.body() == null ? AuditLogEntryType.DROP_FUNCTION : AuditLogEntryType.CREATE_FUNCTION,
                change.id().keyspace(),
                change.id().name());
    }
}
