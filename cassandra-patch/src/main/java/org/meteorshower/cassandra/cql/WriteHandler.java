/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.metrics.Refused;
import org.meteorshower.cassandra.metrics.TableMetrics.WriteMeter;
import org.meteorshower.cassandra.metrics.TableMetrics.WriteOutcome;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.WriteTicket;

/**
 * Writes into enabled tables: fixes the timestamp, lets Cassandra write as ever, and acknowledges once w replicas are
 * known to have stamped it. Cassandra's own count of stores that have it is awaited besides, and needed: where the
 * table is read plainly, stores are all that is seen. Thread-safe.
 */
public final class WriteHandler implements Handler {
    private static final String OPERATION = "write";

    private final ServedTables tables;
    private final WriteMaker maker;
    private final WriteAdmission admission;
    private final WriteBeginnings beginnings;
    private final RingPlacement placement;

    public WriteHandler(
            ServedTables tables,
            WriteMaker maker,
            WriteAdmission admission,
            WriteBeginnings beginnings,
            RingPlacement placement) {
        this.tables = tables;
        this.maker = maker;
        this.admission = admission;
        this.beginnings = beginnings;
        this.placement = placement;
    }

    /** Refuses a text that holds more than one write may, before anything is made of it. */
    public void checkText(CQLStatement parsed, String text) {
        if (firstEnabled(parsed) != null) {
            admission.checkText(text);
        }
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        TableMetadata table = firstEnabled(request.statement());
        if (table == null) {
            return null;
        } else if (request.statement() instanceof ModificationStatement statement) {
            return () -> serve(table, () -> maker.of(statement, request), request);
        } else if (request.statement() instanceof BatchStatement batch) {
            return () -> serve(table, () -> maker.of(batch, table, request), request);
        }
        return null;
    }

    /** Of the tables that the statement writes; null where none is. */
    private @Nullable TableMetadata firstEnabled(CQLStatement statement) {
        if (statement instanceof ModificationStatement || statement instanceof BatchStatement) {
            for (TableMetadata table : AskedTables.of(statement)) {
                if (tables.isEnabled(table)) {
                    return table;
                }
            }
        }
        return null;
    }

    private ResultMessage serve(TableMetadata table, Supplier<Write> write, ClientRequest request) {
        request.admit();
        try {
            Session session = tables.sessionOf(request);
            return run(write.get(), session, request.time());
        } catch (RuntimeException e) {
            tables.note(OPERATION, table, e);
            throw e;
        }
    }

    private ResultMessage run(Write write, Session session, RequestTime time) {
        if (write.keys().isEmpty()) {
            return write.executeAt(Math.max(session.tokenMicros(), 1));
        }
        long held = admission.admit(write.keys().values());
        try {
            return runAdmitted(write, session, time);
        } finally {
            admission.ended(held);
        }
    }

    private ResultMessage runAdmitted(Write write, Session session, RequestTime time) {
        WriteMeter meter = tables.measured().writes(write.measured());
        long startedNanos = System.nanoTime();
        WriteOutcome outcome = WriteOutcome.REFUSED;
        try (WriteTicket ticket = begin(write, session, time)) {
            outcome = WriteOutcome.FAILED;
            Tracing.trace("MeteorShower: the write's timestamp is {}", ticket.timestampMicros());
            ResultMessage response = write.executeAt(ticket.timestampMicros());
            outcome = WriteOutcome.UNKNOWN;
            long token = awaitDone(ticket, time);
            if (token < 0) {
                throw unknown(write, ticket.whyPending());
            }
            Tracing.trace("MeteorShower: written at {}, seen from cut {} on", ticket.timestampMicros(), token);
            session.answerWrite(response, ticket.timestampMicros(), token);
            outcome = WriteOutcome.ACKNOWLEDGED;
            return response;
        } catch (RequestRefusedException e) {
            throw Refusal.of(e, write.level(), required(write));
        } catch (WriteTimeoutException e) {
            outcome = WriteOutcome.UNKNOWN;
            throw e instanceof Refused ? e : Refusal.unknown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(write, "this node is stopping");
        } finally {
            count(meter, outcome, startedNanos);
        }
    }

    private WriteTimeoutException unknown(Write write, String why) {
        return Refusal.unknown(write.type(), write.level(), required(write), why);
    }

    private static void count(WriteMeter meter, WriteOutcome outcome, long startedNanos) {
        if (outcome == WriteOutcome.ACKNOWLEDGED) {
            meter.acknowledged(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedNanos));
        } else {
            meter.ended(outcome);
        }
    }

    private WriteTicket begin(Write write, Session session, RequestTime time)
            throws RequestRefusedException, InterruptedException {
        try {
            return beginnings.begin(new ArrayList<>(write.keys().keySet()), session, deadlineOf(time));
        } catch (StoppedException e) {
            throw Refusal.stopped(e, write.level());
        }
    }

    /** The session's new token, or -1 if it is not known whether the write is done. */
    private static long awaitDone(WriteTicket ticket, RequestTime time) throws InterruptedException {
        try {
            return ticket.awaitDone(deadlineOf(time));
        } catch (StoppedException e) {
            return -1;
        }
    }

    private static long deadlineOf(RequestTime time) {
        return time.computeDeadline(DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS));
    }

    private int required(Write write) {
        int required = 1;
        for (PartitionKey key : write.keys().keySet()) {
            ReplicaGroup group = placement.groupOf(key);
            required = Math.max(required, group == null ? 1 : group.writeQuorum());
        }
        return required;
    }
}
