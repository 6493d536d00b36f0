/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.SchemaGuard;

/** The last of the handlers: Cassandra's own path, for whatever nobody else has taken. Thread-safe. */
public final class CassandraPath implements Handler {
    private final QueryHandler cassandra;
    private final SchemaGuard guard;

    /** @param guard looks at changes of the schema before Cassandra does */
    public CassandraPath(QueryHandler cassandra, SchemaGuard guard) {
        this.cassandra = cassandra;
        this.guard = guard;
    }

    @Override
    public Work take(ClientRequest request) {
        return () -> run(request);
    }

    /** May wait as long as Cassandra does; errors are Cassandra's, and a refusal of what would spoil a table. */
    public ResultMessage run(ClientRequest request) {
        if (request.statement() instanceof AlterSchemaStatement change && guard.isOn()) {
            change.authorize(request.client());
            change.validate(request.client());
            guard.check(change);
        }
        return AdministratorInLine.during(request, () -> handOver(request));
    }

    private ResultMessage handOver(ClientRequest request) {
        if (request.way() == ClientRequest.Way.BATCH && request.statement() instanceof BatchStatement batch) {
            return cassandra.processBatch(batch, request.state(), request.options(), request.payload(), request.time());
        } else if (request.way() == ClientRequest.Way.PREPARED) {
            return cassandra.processPrepared(
                    request.statement(), request.state(), request.only(), request.payload(), request.time());
        }
        return cassandra.process(
                request.statement(), request.state(), request.only(), request.payload(), request.time());
    }
}
