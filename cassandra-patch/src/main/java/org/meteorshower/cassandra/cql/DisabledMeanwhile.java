/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refused;

/**
 * Requests for tables that are disabled at this moment (docs/ARCHITECTURE.md, "When a table is disabled"): they wait until no node can
 * serve the table any more, and go on as requests for an ordinary table. Thread-safe; waits on the request's own thread, no longer
 * than the request may take.
 */
final class DisabledMeanwhile {
    /** A table can be disabled, enabled and disabled again within one request, but hardly more often. */
    private static final int MAX_ATTEMPTS = 4;

    /** The route was chosen, and then the table was seen to be one that is being disabled: to be chosen again after a wait. */
    private static final class Ending extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient TableMetadata table;

        Ending(TableMetadata table) {
            super("the table is being disabled", null, false, false);
            this.table = table;
        }
    }

    /**
     * To be called between the choice of Cassandra's own path and taking it: whoever saw the table as disabled sees it as ending, too,
     * unless that is over.
     */
    static void check(CQLStatement statement, @Nullable ConsistencyLevel level, @Nullable Services up) {
        if (up == null || up.endings().none()) {
            return;
        }
        for (TableMetadata table : Route.tablesIn(statement, level)) {
            if (up.endings().holds(table.id)) {
                throw new Ending(table);
            }
        }
    }

    /**
     * To be called when Cassandra has answered: where the table was enabled before that, it may be served by now at cuts which do not show
     * what this answer says. So a read is made again, and of a write nobody knows.
     */
    static void checkAnswered(
            CQLStatement statement, @Nullable ConsistencyLevel level, @Nullable Services up, Supplier<Route> route) {
        if (up == null || up.enabled().none() || route.get() == Route.CASSANDRA) {
            return;
        }
        for (TableMetadata table : Route.tablesIn(statement, level)) {
            if (up.enabled().of(table.id) == null) {
                continue;
            }
            if (statement instanceof SelectStatement) {
                throw new Ending(table);
            }
            throw Refusal.enabledMeanwhile(orQuorum(level));
        }
    }

    /** Runs the request, after a wait and once more where its table was disabled meanwhile and nothing came of the first try. */
    ResultMessage run(
            CQLStatement statement,
            @Nullable ConsistencyLevel level,
            @Nullable Map<String, ByteBuffer> payload,
            RequestTime requestTime,
            @Nullable Services up,
            Supplier<ResultMessage> request) {
        for (int attempt = 1; ; attempt++) {
            try {
                ResultMessage response = request.get();
                if (up != null && payload != null && payload.containsKey(PayloadKeys.TOKEN)) {
                    tellIfPlain(statement, level, payload, up, response);
                }
                return response;
            } catch (Ending ending) {
                if (attempt == MAX_ATTEMPTS) {
                    throw Refusal.ending(ending.table, orQuorum(level));
                }
                await(ending.table, level, requestTime, up);
            } catch (RuntimeException e) {
                TableMetadata table =
                        up == null || attempt == MAX_ATTEMPTS ? null : disabledOf(statement, level, e, up);
                if (table == null) {
                    throw e;
                }
                await(table, level, requestTime, up);
            }
        }
    }

    /** The table for whose sake the request was refused, though it was disabled by then; null where that is not the reason. */
    private static @Nullable TableMetadata disabledOf(
            CQLStatement statement, @Nullable ConsistencyLevel level, RuntimeException failure, Services up) {
        if (!(failure instanceof Refused refused) || refused.cause() != RefusalCause.NOT_READY) {
            return null;
        }
        for (TableMetadata table : Route.tablesIn(statement, level)) {
            if (up.endings().holds(table.id) || up.enabled().of(table.id) == null) {
                return table;
            }
        }
        return null;
    }

    private static void await(
            TableMetadata table, @Nullable ConsistencyLevel level, RequestTime requestTime, @Nullable Services up) {
        long limitNanos = Math.min(
                DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS));
        if (up != null && !up.endings().await(table.id, requestTime.computeDeadline(limitNanos))) {
            throw Refusal.ending(table, orQuorum(level));
        }
    }

    private static ConsistencyLevel orQuorum(@Nullable ConsistencyLevel level) {
        return level == null ? ConsistencyLevel.QUORUM : level;
    }

    private static void tellIfPlain(
            CQLStatement statement,
            @Nullable ConsistencyLevel level,
            Map<String, ByteBuffer> payload,
            Services up,
            ResultMessage response) {
        Map<String, ByteBuffer> answer = response.getCustomPayload();
        if (answer != null && answer.containsKey(PayloadKeys.TOKEN)) {
            return; // answered in kind, as most are
        }
        List<TableMetadata> tables = Route.tablesIn(statement, level);
        if (tables.isEmpty()) {
            return; // no request for rows
        }
        long overSinceMicros = 0;
        for (TableMetadata table : tables) {
            overSinceMicros = Math.max(overSinceMicros, up.endings().overSinceMicros(table.id));
        }
        Session session;
        try {
            session = Session.of(payload, up.tokenFormat(), up.coordinatorToken());
        } catch (InvalidRequestException e) {
            return; // a token that makes no sense is refused where it matters: the request is carried out already
        }
        session.answerPlain(response, overSinceMicros);
    }
}
