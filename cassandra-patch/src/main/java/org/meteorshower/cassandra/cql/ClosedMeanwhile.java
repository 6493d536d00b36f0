/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.RequestsUnderWay;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.protocol.TakingPart.Stage;

/**
 * Takes whatever is none of a transaction, and hands it on, so that one can wait until such requests have ended: where
 * this node begins with a table that was enabled, and where a table is closed on its way into transactions
 * (docs/CATENAE.md, "How a table begins to take part"). Requests for a table that is closed wait until it takes part,
 * and go on as transactions. Thread-safe; waits on the request's own thread, no longer than the request may take.
 */
public final class ClosedMeanwhile implements Handler {
    private static final long BEGUN_SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Less than a request's time-out, so that the client hears why. */
    private static final double SHARE_OF_TIMEOUT = 0.75;

    private final RequestsUnderWay underWay;
    private final EnabledTables enabled;
    private final PlainStatements transactions;
    private final Handler ordinary;

    /** @param ordinary takes all requests */
    public ClosedMeanwhile(
            RequestsUnderWay underWay, EnabledTables enabled, PlainStatements transactions, Handler ordinary) {
        this.underWay = underWay;
        this.enabled = enabled;
        this.transactions = transactions;
        this.ordinary = ordinary;
    }

    @Override
    public Work take(ClientRequest request) {
        return () -> run(request);
    }

    private ResultMessage run(ClientRequest request) {
        List<TableMetadata> tables = AskedTables.of(request.statement());
        Set<TableId> asked = ids(tables);
        while (true) {
            TableMetadata table;
            RequestsUnderWay.Begun begun = underWay.begin(asked);
            try {
                table = changing(tables); // looked at once it is known that this goes on
                if (table == null) {
                    return Handler.require(ordinary, request).run();
                }
            } finally {
                begun.end();
            }
            Stage stage = TransactionTables.stage(table);
            if (enabled.isAboutToBegin(table.id)) {
                awaitBegun(table, request);
            } else if (stage == Stage.CLOSED) {
                await(table, request);
            } else if (stage == Stage.OPEN) {
                if (!transactions.knows(request)) {
                    throw Refusal.letIn(table); // its text was not worth to be remembered when it was parsed
                }
                return Handler.require(transactions, request).run();
            } // else what it was about to begin with has begun since
        }
    }

    /** But for virtual ones: in one of those tables are let in and enabled. */
    private static Set<TableId> ids(List<TableMetadata> tables) {
        if (tables.size() == 1) { // as nearly always
            return tables.get(0).isVirtual() ? Set.of() : Set.of(tables.get(0).id);
        }
        Set<TableId> ids = new HashSet<>();
        for (TableMetadata table : tables) {
            if (!table.isVirtual()) {
                ids.add(table.id);
            }
        }
        return ids;
    }

    /** One that is, or will be in a moment, no longer what the statement takes it for. */
    private @Nullable TableMetadata changing(List<TableMetadata> tables) {
        for (TableMetadata table : tables) {
            Stage stage = TransactionTables.stage(table);
            if (stage == Stage.CLOSED || stage == Stage.OPEN || enabled.isAboutToBegin(table.id)) {
                return table;
            }
        }
        return null;
    }

    private void awaitBegun(TableMetadata table, ClientRequest request) {
        long deadlineNanos = deadlineNanos(request);
        while (enabled.isAboutToBegin(table.id)) {
            if (System.nanoTime() - deadlineNanos > 0 || Thread.currentThread().isInterrupted()) {
                throw Refusal.overloaded(table + " is about to be enabled on this node");
            }
            LockSupport.parkNanos(BEGUN_SOON_NANOS);
        }
    }

    private static void await(TableMetadata table, ClientRequest request) {
        if (!TransactionTables.awaitNotClosed(table, deadlineNanos(request))) {
            throw Refusal.closed(table);
        }
    }

    private static long deadlineNanos(ClientRequest request) {
        return request.time().computeDeadline((long) (SHARE_OF_TIMEOUT
                * Math.min(
                        DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                        DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS))));
    }
}
