/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/**
 * Tables in memory, and transactions on them, one after the other: CQL to result by the code that a node runs, but for
 * what lies between the nodes. Each row that is written goes through Cassandra's form and back, each transaction
 * through its bytes.
 */
final class Shop {
    private static final AtomicInteger KEYSPACES = new AtomicInteger();

    private final String keyspace = "shop" + KEYSPACES.incrementAndGet();
    private final SortedMap<RowKey, Row> rows = new TreeMap<>();
    private final ClientState client;
    private long version = 1_000;

    Shop(String... tables) {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's schema needs
        Tables.Builder builder = Tables.builder();
        for (String table : tables) {
            builder.add(CreateTableStatement.parse(table, keyspace)
                    .partitioner(Murmur3Partitioner.instance)
                    .build());
        }
        KeyspaceMetadata metadata = KeyspaceMetadata.create(keyspace, KeyspaceParams.simple(1), builder.build());
        Schema.instance.transform(SchemaTransformations.addKeyspace(metadata, true));
        client = ClientState.forInternalCalls(keyspace);
    }

    ClientState client() {
        return client;
    }

    String keyspace() {
        return keyspace;
    }

    Plan plan(String text) {
        return Plan.of(text, client);
    }

    /** Rows of text, as in {@code "5, 'x', null"}; empty for no result. */
    List<String> run(String text, Object... values) {
        return run(plan(text), values);
    }

    List<String> plain(String text, Object... values) {
        return run(plainPlan(text), values);
    }

    Plan plainPlan(String text) {
        return Compiler.compile(ScriptParser.parsePlain(text), client);
    }

    List<String> run(Plan plan, Object... values) {
        List<ByteBuffer> bytes = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            bytes.add(bytes(plan.markers().get(i).type, values[i]));
        }
        return texts(run(plan, QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, bytes)));
    }

    /** With the options as they are, pages among them. */
    ResultMessage run(Plan plan, QueryOptions options) {
        Binding binding = new Binding(options, client);
        Transaction transaction = throughBytes(plan.bind(binding));
        TreeMap<RowKey, Row> held = new TreeMap<>();
        for (RowKey key : transaction.rows()) {
            held.put(key, rows.getOrDefault(key, Row.ABSENT));
        }
        transaction.claims().forEach(claim -> held.putAll(claim.partition().part(rows)));
        Evaluation evaluation = Program.run(transaction, held);
        if (evaluation.outcome() instanceof Outcome.Aborted aborted) {
            throw new InvalidRequestException(aborted.detail());
        }
        evaluation.writes().forEach(this::write);
        return plan.result().of(((Outcome.Committed) evaluation.outcome()).values(), binding);
    }

    private void write(RowKey key, Row row) {
        TableMetadata table =
                Schema.instance.getTableMetadata(org.apache.cassandra.schema.TableId.fromString(key.table()));
        var update = RowForm.toUpdate(table, key, row, ++version);
        var clustering = RowForm.clusteringOf(table, key);
        var stored = clustering == org.apache.cassandra.db.Clustering.STATIC_CLUSTERING
                ? update.staticRow()
                : update.getRow(clustering);
        Row back = RowForm.fromCassandra(table, stored, 1);
        if (!back.equals(withoutEnds(row))) {
            throw new AssertionError(row + " came back as " + back);
        }
        rows.put(key, row);
    }

    private static Row withoutEnds(Row row) {
        TreeMap<String, Value> columns = new TreeMap<>(row.columns());
        columns.replaceAll((column, value) -> row.get(column));
        return new Row(columns);
    }

    /** As they are held: with the ends of their values. */
    Collection<Row> rows() {
        return rows.values();
    }

    /** What has ended by then is taken away. */
    void end(long byMillis) {
        rows.replaceAll((key, row) -> row.withoutEnded(byMillis));
        rows.values().removeIf(row -> !row.exists());
    }

    @SuppressWarnings("unchecked") // the type is the one that Cassandra says the value is of
    private static ByteBuffer bytes(AbstractType<?> type, Object value) {
        return value == null || value instanceof ByteBuffer
                ? (ByteBuffer) value
                : ((AbstractType<Object>) type).decompose(value);
    }

    private static Transaction throughBytes(Transaction transaction) {
        DataOut out = new DataOut();
        LanguageCodec.write(transaction, out);
        try {
            Transaction read = LanguageCodec.readTransaction(new DataIn(out.toBytes()));
            if (!read.equals(transaction)) {
                throw new AssertionError(transaction + " was read as " + read);
            }
            return read;
        } catch (BadDataException e) {
            throw new AssertionError(e);
        }
    }

    static List<String> texts(ResultMessage message) {
        List<String> texts = new ArrayList<>();
        if (message instanceof ResultMessage.Rows result) {
            ResultSet set = result.result;
            for (List<ByteBuffer> row : set.rows) {
                List<String> values = new ArrayList<>();
                for (int i = 0; i < set.metadata.names.size(); i++) {
                    ColumnSpecification column = set.metadata.names.get(i);
                    ByteBuffer value = row.get(i);
                    values.add(value == null ? "null" : column.type.asCQL3Type().toCQLLiteral(value));
                }
                texts.add(String.join(", ", values));
            }
        }
        return texts;
    }

    static List<String> namesOf(Plan plan) {
        return plan.result().shape().names.stream()
                .map(column -> column.name.toString())
                .toList();
    }
}
