/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.List;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.SchemaGuard;
import org.meteorshower.cassandra.tables.TransactionSwitch;

/**
 * Where each request goes: to the first handler that takes it. Thread-safe.
 *
 * <p>The order, while the node is up: session statements, procedures, transactions, single statements on tables of
 * transactions; then what is left, by way of {@link ClosedMeanwhile} and {@link DisabledMeanwhile}: reads of enabled
 * tables, writes of them, TRUNCATE of them, Cassandra.
 */
public final class FrontDoor {
    private final StatementTexts texts;
    private final List<Handler> handlers;

    /** @param handlers in order; the last one takes all */
    public FrontDoor(StatementTexts texts, List<Handler> handlers) {
        this.texts = texts;
        this.handlers = List.copyOf(handlers);
    }

    /** While MeteorShower does not run: what needs it is refused, and Cassandra has the rest. */
    static FrontDoor closed(QueryHandler cassandra, KnownStatements known) {
        return new FrontDoor(
                StatementTexts.closed(cassandra, known),
                List.of(
                        new NotRunning(),
                        new CassandraPath(cassandra, new SchemaGuard(() -> true, TransactionSwitch.off()))));
    }

    StatementTexts texts() {
        return texts;
    }

    /** May wait until the request's deadline; errors as {@link Handler.Work#run}. */
    ResultMessage serve(ClientRequest request) {
        Handler.Work work = Handler.first(handlers, request);
        if (work == null) {
            throw new IllegalStateException("nobody takes " + request.statement());
        }
        return work.run();
    }
}
