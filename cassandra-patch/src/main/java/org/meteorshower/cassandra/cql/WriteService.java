/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.metrics.TableMetrics.WriteMeter;
import org.meteorshower.cassandra.metrics.TableMetrics.WriteOutcome;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.ReadRefusedException;
import org.meteorshower.runtime.StoppedException;

/**
 * Writes into enabled tables: fixes the timestamp, lets Cassandra write as ever, and acknowledges once w replicas are
 * known to have applied it. The caller has authorized and validated the statement. Thread-safe.
 */
public final class WriteService {
    private final MeteorShower meteorShower;
    private final EnabledTables enabled;
    private final RingPlacement placement;
    private final WriteRules rules;
    private final BatchInternals batches;
    private final TableMetrics measured;
    private final WriteAdmission admission;

    public WriteService(
            MeteorShower meteorShower,
            EnabledTables enabled,
            RingPlacement placement,
            Supplier<WeakWrites> weakWrites,
            BatchInternals batches,
            TableMetrics measured,
            WriteAdmission admission) {
        this.meteorShower = meteorShower;
        this.enabled = enabled;
        this.placement = placement;
        this.rules = new WriteRules(weakWrites);
        this.batches = batches;
        this.measured = measured;
        this.admission = admission;
    }

    /** Refuses a text that holds more than one write may, before anything is made of it. */
    void checkText(String text) {
        admission.checkText(text);
    }

    ResultMessage write(
            ModificationStatement statement,
            QueryState state,
            QueryOptions options,
            Session session,
            RequestTime requestTime) {
        WriteRules.check(statement);
        ConsistencyLevel level = rules.levelFor(
                options.getConsistency(),
                optionsOf(statement),
                statement.metadata().toString());
        Map<PartitionKey, Long> keys = new LinkedHashMap<>();
        refuseUnservable(statement, level);
        addKeys(keys, statement, options, state.getClientState());
        return stamped(
                keys,
                measured.writes(statement.metadata()),
                WriteType.SIMPLE,
                level,
                session,
                requestTime,
                timestamp -> statement.execute(state, StampedOptions.of(options, level, timestamp), requestTime));
    }

    /** A batch whose statements share one set of values: {@code BEGIN BATCH ... APPLY BATCH} as text. */
    ResultMessage write(
            BatchStatement batch, QueryState state, QueryOptions options, Session session, RequestTime requestTime) {
        ConsistencyLevel level = checked(batch, options.getConsistency());
        BatchQueryOptions each = BatchQueryOptions.withoutPerStatementVariables(options);
        return stamped(
                keysOf(batch, each, state.getClientState()),
                measured.writes(firstEnabled(batch)),
                WriteType.BATCH,
                level,
                session,
                requestTime,
                timestamp -> batch.execute(state, StampedOptions.of(options, level, timestamp), requestTime));
    }

    ResultMessage write(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            Session session,
            RequestTime requestTime) {
        ConsistencyLevel level = checked(batch, options.getConsistency());
        return stamped(
                keysOf(batch, options, state.getClientState()),
                measured.writes(firstEnabled(batch)),
                WriteType.BATCH,
                level,
                session,
                requestTime,
                timestamp -> batch.execute(state, StampedOptions.of(batch, options, level, timestamp), requestTime));
    }

    private ConsistencyLevel checked(BatchStatement batch, ConsistencyLevel asked) {
        ConsistencyLevel level = asked;
        if (batches.hasTimestamp(batch)) {
            throw Refusal.refused(
                    "BEGIN BATCH USING TIMESTAMP is not possible with a table that is enabled: the timestamp"
                            + " is what orders the write after all that its session has seen. Leave it out.");
        }
        for (ModificationStatement statement : batch.getStatements()) {
            if (enabled.of(statement.metadata().id) != null) {
                WriteRules.check(statement);
                refuseUnservable(statement, level);
                level = rules.levelFor(
                        level, optionsOf(statement), statement.metadata().toString());
            } else if (statement.isTimestampSet() || statement.isCounter() || statement.hasConditions()) {
                throw Refusal.refused(
                        "a batch that writes into an enabled table gives all its statements one timestamp, and "
                                + statement.metadata()
                                + " is written with another one (USING TIMESTAMP, IF, or a counter):"
                                + " write it apart");
            }
        }
        return level;
    }

    /** Each partition that the batch writes, with what it is given. */
    private Map<PartitionKey, Long> keysOf(BatchStatement batch, BatchQueryOptions options, ClientState client) {
        Map<PartitionKey, Long> keys = new LinkedHashMap<>();
        for (int i = 0; i < batch.getStatements().size(); i++) {
            ModificationStatement statement = batch.getStatements().get(i);
            if (enabled.of(statement.metadata().id) != null) {
                addKeys(keys, statement, options.forStatement(i), client);
            }
        }
        return keys;
    }

    private void addKeys(
            Map<PartitionKey, Long> keys, ModificationStatement statement, QueryOptions options, ClientState client) {
        TableMetadata table = statement.metadata();
        UUID id = enabled.idOf(table.id);
        if (id == null) {
            throw Refusal.notFollowed(table, options.getConsistency());
        }
        long bytes = WriteAdmission.bytesOf(options.getValues());
        for (ByteBuffer key : statement.buildPartitionKeyNames(options, client)) {
            keys.merge(CassandraUpdate.keyOf(id, key), bytes, Long::sum);
        }
    }

    /** A batch over several tables is measured as one write into the first of them. */
    private TableMetadata firstEnabled(BatchStatement batch) {
        for (ModificationStatement statement : batch.getStatements()) {
            if (enabled.of(statement.metadata().id) != null) {
                return statement.metadata();
            }
        }
        return batch.getStatements().get(0).metadata(); // disabled just now
    }

    private TableOptions optionsOf(ModificationStatement statement) {
        TableOptions options = enabled.of(statement.metadata().id);
        return options == null ? TableOptions.DEFAULT : options;
    }

    /** Cassandra's part of a write, at the timestamp given. */
    private interface Execution {
        @Nullable
        ResultMessage at(long timestampMicros);
    }

    private ResultMessage stamped(
            Map<PartitionKey, Long> keys,
            WriteMeter meter,
            WriteType type,
            ConsistencyLevel level,
            Session session,
            RequestTime requestTime,
            Execution execution) {
        if (keys.isEmpty()) {
            return orVoid(execution.at(Math.max(session.tokenMicros(), 1)));
        }
        long held = admission.admit(keys.values());
        try {
            return admitted(keys.keySet(), meter, type, level, session, requestTime, execution);
        } finally {
            admission.ended(held);
        }
    }

    private ResultMessage admitted(
            Collection<PartitionKey> keys,
            WriteMeter meter,
            WriteType type,
            ConsistencyLevel level,
            Session session,
            RequestTime requestTime,
            Execution execution) {
        int required = required(keys);
        long startedNanos = System.nanoTime();
        WriteOutcome outcome = WriteOutcome.REFUSED;
        try (MeteorShower.WriteTicket ticket = begin(keys, session, level)) {
            outcome = WriteOutcome.FAILED;
            Tracing.trace("MeteorShower: the write's timestamp is {}", ticket.timestampMicros());
            ResultMessage response = orVoid(execution.at(ticket.timestampMicros()));
            outcome = WriteOutcome.UNKNOWN;
            long token = awaitDone(
                    ticket, requestTime.computeDeadline(DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS)));
            if (token < 0) {
                throw new WriteTimeoutException(type, level, Math.max(0, required - 1), required);
            }
            Tracing.trace("MeteorShower: written at {}, seen from cut {} on", ticket.timestampMicros(), token);
            session.answerWrite(response, ticket.timestampMicros(), token);
            outcome = WriteOutcome.ACKNOWLEDGED;
            return response;
        } catch (ReadRefusedException e) {
            throw Refusal.of(e, level, required);
        } catch (WriteTimeoutException e) {
            outcome = WriteOutcome.UNKNOWN;
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WriteTimeoutException(type, level, Math.max(0, required - 1), required);
        } finally {
            count(meter, outcome, startedNanos);
        }
    }

    private static void count(WriteMeter meter, WriteOutcome outcome, long startedNanos) {
        if (outcome == WriteOutcome.ACKNOWLEDGED) {
            meter.acknowledged(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedNanos));
        } else {
            meter.ended(outcome);
        }
    }

    private MeteorShower.WriteTicket begin(Collection<PartitionKey> keys, Session session, ConsistencyLevel level)
            throws ReadRefusedException {
        try {
            return meteorShower.beginWrite(new ArrayList<>(keys), session.tokenMicros(), session.isStrict());
        } catch (StoppedException e) {
            throw Refusal.stopped(e, level);
        }
    }

    /** The session's new token, or -1 if it is not known whether the write is done. */
    private static long awaitDone(MeteorShower.WriteTicket ticket, long deadlineNanos) throws InterruptedException {
        try {
            return ticket.awaitDone(deadlineNanos);
        } catch (StoppedException e) {
            return -1;
        }
    }

    private void refuseUnservable(ModificationStatement statement, ConsistencyLevel level) {
        TableMetadata table = statement.metadata();
        String obstacle = enabled.obstacleTo(table.id);
        if (obstacle != null) {
            throw Refusal.unservable(table, obstacle);
        }
        if (enabled.idOf(table.id) == null) {
            throw Refusal.notFollowed(table, level);
        }
        if (!PlacementKeeper.isOnRing()) {
            throw Refusal.notOnRing(level);
        }
    }

    private int required(Collection<PartitionKey> keys) {
        int required = 1;
        for (PartitionKey key : keys) {
            ReplicaGroup group = placement.groupOf(key);
            required = Math.max(required, group == null ? 1 : group.writeQuorum());
        }
        return required;
    }

    private static ResultMessage orVoid(@Nullable ResultMessage response) {
        return response == null ? new ResultMessage.Void() : response;
    }
}
