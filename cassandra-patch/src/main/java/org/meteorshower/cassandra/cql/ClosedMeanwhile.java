/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.RequestsUnderWay;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.protocol.TakingPart.Stage;

/**
 * Takes whatever is none of a transaction, and hands it on. Requests for a table that is closed at this moment, on its
 * way into transactions (docs/CATENAE.md, "How a table begins to take part"), wait until it takes part, and go on as
 * transactions. Thread-safe; waits on the request's own thread, no longer than the request may take.
 */
public final class ClosedMeanwhile implements Handler {
    /** Less than a request's time-out, so that the client hears why. */
    private static final double SHARE_OF_TIMEOUT = 0.75;

    private final RequestsUnderWay underWay;
    private final PlainStatements transactions;
    private final Handler ordinary;

    /** @param ordinary takes all requests */
    public ClosedMeanwhile(RequestsUnderWay underWay, PlainStatements transactions, Handler ordinary) {
        this.underWay = underWay;
        this.transactions = transactions;
        this.ordinary = ordinary;
    }

    @Override
    public Work take(ClientRequest request) {
        return () -> run(request);
    }

    private ResultMessage run(ClientRequest request) {
        if (AskedTables.of(request.statement()).stream().allMatch(TableMetadata::isVirtual)) {
            return Handler.require(ordinary, request).run(); // among them the statement that lets a table in
        }
        while (true) {
            TableMetadata table;
            int place = underWay.begin();
            try {
                table = closedOrOpen(request.statement()); // looked at once it is known that this goes on
                if (table == null) {
                    return Handler.require(ordinary, request).run();
                }
            } finally {
                underWay.end(place);
            }
            if (TransactionTables.stage(table) == Stage.CLOSED) {
                await(table, request);
            } else if (transactions.knows(request)) {
                return Handler.require(transactions, request).run();
            } else {
                throw Refusal.letIn(table); // its text was not worth to be remembered when it was parsed
            }
        }
    }

    /** A table of the statement's that is no ordinary one any more. */
    private static @Nullable TableMetadata closedOrOpen(CQLStatement statement) {
        for (TableMetadata table : AskedTables.of(statement)) {
            Stage stage = TransactionTables.stage(table);
            if (stage == Stage.CLOSED || stage == Stage.OPEN) {
                return table;
            }
        }
        return null;
    }

    private static void await(TableMetadata table, ClientRequest request) {
        long limitNanos = (long) (SHARE_OF_TIMEOUT
                * Math.min(
                        DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                        DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS)));
        if (!TransactionTables.awaitNotClosed(table, request.time().computeDeadline(limitNanos))) {
            throw Refusal.closed(table);
        }
    }
}
