/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.ProcedureStatement;
import org.meteorshower.cassandra.transactions.cql.SessionStatement;
import org.meteorshower.cassandra.transactions.cql.TransactionStatement;

/**
 * Stands in for all handlers but Cassandra's where the schema declares tables and MeteorShower does not run: who asked
 * for more than Cassandra gives is told so. Thread-safe.
 */
final class NotRunning implements Handler {
    @Override
    public @Nullable Work take(ClientRequest request) {
        CQLStatement statement = request.statement();
        boolean needed = isOurs(statement)
                || PlainStatements.mayConcern(statement)
                || (isAtItsLevel(request) && AskedTables.of(statement).stream().anyMatch(NotRunning::isDeclared));
        if (!needed) {
            return null;
        }
        return () -> {
            request.admit();
            throw Refusal.notRunning();
        };
    }

    private static boolean isOurs(CQLStatement statement) {
        return statement instanceof SessionStatement
                || statement instanceof ProcedureStatement
                || statement instanceof TransactionStatement;
    }

    private static boolean isAtItsLevel(ClientRequest request) {
        return !(request.statement() instanceof SelectStatement) || request.level() == ConsistencyLevel.QUORUM;
    }

    /** What the schema says, when nobody follows it. */
    private static boolean isDeclared(TableMetadata table) {
        TableMetadata current = Schema.instance.getTableMetadata(table.id);
        return current != null && current.params.extensions.containsKey(TableOptions.EXTENSION);
    }
}
