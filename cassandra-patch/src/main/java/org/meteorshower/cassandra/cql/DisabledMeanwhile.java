/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refused;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.cassandra.tables.EndingTables;

/**
 * Takes whatever is left: the handlers of enabled tables have the first choice, Cassandra the rest. Requests for tables
 * that are disabled at this moment (docs/ARCHITECTURE.md, "When a table is disabled") wait until no node can serve the
 * table any more, and go on as requests for an ordinary table. Thread-safe; waits on the request's own thread, no
 * longer than the request may take.
 */
public final class DisabledMeanwhile implements Handler {
    /** A table can be disabled, enabled and disabled again within one request, but hardly more often. */
    private static final int MAX_ATTEMPTS = 4;

    private final ServedTables tables;
    private final EndingTables endings;
    private final List<Handler> served;
    private final CassandraPath cassandra;

    /** @param served the handlers of enabled tables, in order */
    public DisabledMeanwhile(ServedTables tables, EndingTables endings, List<Handler> served, CassandraPath cassandra) {
        this.tables = tables;
        this.endings = endings;
        this.served = List.copyOf(served);
        this.cassandra = cassandra;
    }

    /**
     * Cassandra's path was chosen, and then the table was seen to be one that is being disabled: to be chosen again
     * after a wait.
     */
    private static final class Ending extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient TableMetadata table;

        Ending(TableMetadata table) {
            super("the table is being disabled", null, false, false);
            this.table = table;
        }
    }

    @Override
    public Work take(ClientRequest request) {
        return () -> run(request);
    }

    /** After a wait once more, where the request's table was disabled meanwhile and nothing came of the first try. */
    private ResultMessage run(ClientRequest request) {
        for (int attempt = 1; ; attempt++) {
            try {
                ResultMessage response = tryOnce(request);
                tellIfPlain(request, response);
                return response;
            } catch (Ending ending) {
                if (attempt == MAX_ATTEMPTS) {
                    throw Refusal.ending(ending.table, levelOf(request));
                }
                await(ending.table, request);
            } catch (RuntimeException e) {
                TableMetadata table = attempt == MAX_ATTEMPTS ? null : disabledOf(request, e);
                if (table == null) {
                    throw e;
                }
                await(table, request);
            }
        }
    }

    private ResultMessage tryOnce(ClientRequest request) {
        Work work = whoServes(request);
        if (work != null) {
            return work.run();
        }
        checkEndings(request);
        ResultMessage response = cassandra.run(request);
        checkAnswered(request);
        return response;
    }

    private @Nullable Work whoServes(ClientRequest request) {
        return tables.none() ? null : Handler.first(served, request);
    }

    /**
     * Between the choice of Cassandra's own path and taking it: whoever saw the table as disabled sees it as ending,
     * too, unless that is over.
     */
    private void checkEndings(ClientRequest request) {
        if (endings.none()) {
            return;
        }
        for (TableMetadata table : AskedTables.ofRows(request)) {
            if (endings.holds(table.id)) {
                throw new Ending(table);
            }
        }
    }

    /**
     * When Cassandra has answered: where the table was enabled before that, it may be served by now at cuts which do
     * not show what this answer says. So a read is made again, and of a write nobody knows.
     */
    private void checkAnswered(ClientRequest request) {
        if (whoServes(request) == null) {
            return;
        }
        for (TableMetadata table : AskedTables.ofRows(request)) {
            if (!tables.isEnabled(table)) {
                continue;
            }
            if (request.statement() instanceof SelectStatement) {
                throw new Ending(table);
            }
            throw Refusal.enabledMeanwhile(levelOf(request));
        }
    }

    /**
     * The table for whose sake the request was refused, though it was disabled by then; null where that is not the
     * reason.
     */
    private @Nullable TableMetadata disabledOf(ClientRequest request, RuntimeException failure) {
        if (!(failure instanceof Refused refused) || refused.cause() != RefusalCause.NOT_READY) {
            return null;
        }
        for (TableMetadata table : AskedTables.ofRows(request)) {
            if (endings.holds(table.id) || !tables.isEnabled(table)) {
                return table;
            }
        }
        return null;
    }

    private void await(TableMetadata table, ClientRequest request) {
        long limitNanos = Math.min(
                DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS));
        if (!endings.await(table.id, request.time().computeDeadline(limitNanos))) {
            throw Refusal.ending(table, levelOf(request));
        }
    }

    private static ConsistencyLevel levelOf(ClientRequest request) {
        ConsistencyLevel level = request.level();
        return level == null ? ConsistencyLevel.QUORUM : level;
    }

    /** Tells a client that keeps a token what Cassandra's own answer means for it. */
    private void tellIfPlain(ClientRequest request, ResultMessage response) {
        if (!hasToken(request.payload()) || hasToken(response.getCustomPayload())) {
            return; // answered in kind, as most are
        }
        List<TableMetadata> asked = AskedTables.ofRows(request);
        if (asked.isEmpty()) {
            return; // no request for rows
        }
        long overSinceMicros = 0;
        for (TableMetadata table : asked) {
            overSinceMicros = Math.max(overSinceMicros, endings.overSinceMicros(table.id));
        }
        Session session;
        try {
            session = tables.sessionOf(request);
        } catch (InvalidRequestException e) {
            return; // a token that makes no sense is refused where it matters: the request is carried out already
        }
        session.answerPlain(response, overSinceMicros);
    }

    private static boolean hasToken(@Nullable Map<String, ByteBuffer> payload) {
        return payload != null && payload.containsKey(PayloadKeys.TOKEN);
    }
}
