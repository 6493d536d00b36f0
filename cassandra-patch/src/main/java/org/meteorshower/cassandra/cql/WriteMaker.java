/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.PartitionKey;

/** Says of a statement or a batch which write into enabled tables it is, or refuses it. Thread-safe. */
public final class WriteMaker {
    private final ServedTables tables;
    private final WriteRules rules;
    private final BatchInternals batches;

    /** @param weakWrites what is done with a write at a level that is too weak, asked each time */
    public WriteMaker(ServedTables tables, Supplier<WeakWrites> weakWrites, BatchInternals batches) {
        this.tables = tables;
        this.rules = new WriteRules(weakWrites);
        this.batches = batches;
    }

    /**
     * Of a single statement.
     *
     * @throws RequestValidationException if it has no place in the order of writes
     * @throws RequestExecutionException if its table is not served now
     */
    Write of(ModificationStatement statement, ClientRequest request) {
        TableMetadata table = statement.metadata();
        QueryOptions options = request.only();
        WriteRules.check(statement);
        ConsistencyLevel level = rules.levelFor(options.getConsistency(), optionsOf(table), table);
        tables.refuseUnservable(table, level);
        Map<PartitionKey, Long> keys = new LinkedHashMap<>();
        addKeys(keys, statement, options, request);
        return new Write(
                table,
                WriteType.SIMPLE,
                level,
                keys,
                timestamp -> statement.execute(
                        request.state(), StampedOptions.of(options, level, timestamp), request.time()));
    }

    /**
     * Of a batch; errors as of a single statement. It may write into tables that are not enabled as well, at the same
     * timestamp.
     *
     * @param first of its tables that is enabled
     */
    Write of(BatchStatement batch, TableMetadata first, ClientRequest request) {
        ConsistencyLevel level = checked(batch, request.options().getConsistency());
        Map<PartitionKey, Long> keys = new LinkedHashMap<>();
        for (int i = 0; i < batch.getStatements().size(); i++) {
            ModificationStatement statement = batch.getStatements().get(i);
            if (tables.isEnabled(statement.metadata())) {
                addKeys(keys, statement, request.options().forStatement(i), request);
            }
        }
        return new Write(
                first,
                WriteType.BATCH,
                level,
                keys,
                timestamp -> batch.execute(
                        request.state(),
                        StampedOptions.of(batch, request.options(), level, timestamp),
                        request.time()));
    }

    private ConsistencyLevel checked(BatchStatement batch, ConsistencyLevel asked) {
        ConsistencyLevel level = asked;
        if (batches.hasTimestamp(batch)) {
            throw Refusal.refused(
                    "BEGIN BATCH USING TIMESTAMP is not possible with a table that is enabled: the timestamp"
                            + " is what orders the write after all that its session has seen. Leave it out.");
        }
        for (ModificationStatement statement : batch.getStatements()) {
            TableMetadata table = statement.metadata();
            if (tables.isEnabled(table)) {
                WriteRules.check(statement);
                tables.refuseUnservable(table, level);
                level = rules.levelFor(level, optionsOf(table), table);
            } else if (statement.isTimestampSet() || statement.isCounter() || statement.hasConditions()) {
                throw Refusal.refused(
                        "a batch that writes into an enabled table gives all its statements one timestamp, and "
                                + table
                                + " is written with another one (USING TIMESTAMP, IF, or a counter):"
                                + " write it apart");
            }
        }
        return level;
    }

    private void addKeys(
            Map<PartitionKey, Long> keys,
            ModificationStatement statement,
            QueryOptions options,
            ClientRequest request) {
        TableMetadata table = statement.metadata();
        UUID id = tables.enabled().idOf(table.id);
        if (id == null) {
            throw Refusal.notFollowed(table, options.getConsistency());
        }
        long bytes = WriteAdmission.bytesOf(options.getValues());
        for (ByteBuffer key : statement.buildPartitionKeyNames(options, request.client())) {
            keys.merge(CassandraUpdate.keyOf(id, key), bytes, Long::sum);
        }
    }

    /** Of one that was disabled just now, those of any. */
    private TableOptions optionsOf(TableMetadata table) {
        TableOptions options = tables.optionsOf(table);
        return options == null ? TableOptions.DEFAULT : options;
    }
}
