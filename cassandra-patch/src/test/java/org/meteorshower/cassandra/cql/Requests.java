/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.antlr.runtime.RecognitionException;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.CqlParser;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.QualifiedStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.transactions.TransactionOptions;

/**
 * Requests as clients send them, about three tables: one ordinary, one enabled, one that takes part in transactions.
 */
final class Requests {
    static final String KEYSPACE = "doors";
    static final TableMetadata ORDINARY = table("ordinary", Map.of());

    /** An ordinary one, too, which a test may change. */
    static final TableMetadata CHANGING = table("changing", Map.of());

    static final TableMetadata ENABLED = table("enabled", Map.of(TableOptions.EXTENSION, ByteBufferUtil.bytes("v1,")));
    static final TableMetadata SHARED = table(
            "shared",
            Map.of(TransactionOptions.EXTENSION, TransactionOptions.open(1, 0).toExtension()));

    static {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's schema needs
        Schema.instance.transform(SchemaTransformations.addKeyspace(
                KeyspaceMetadata.create(
                        KEYSPACE, KeyspaceParams.simple(1), Tables.of(ORDINARY, CHANGING, ENABLED, SHARED)),
                true));
    }

    private Requests() {}

    private static TableMetadata table(String name, Map<String, ByteBuffer> extensions) {
        String unused = TestTables.PAIRS.name;
        return TableMetadata.builder(KEYSPACE, name)
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .addRegularColumn("v", UTF8Type.instance)
                .extensions(extensions)
                .build();
    }

    static ClientState client() {
        return ClientState.forInternalCalls(KEYSPACE);
    }

    static CQLStatement parse(String text) {
        try {
            CQLStatement.Raw raw = CQLFragmentParser.parseAnyUnhandled(CqlParser::query, text);
            if (raw instanceof QualifiedStatement qualified) {
                qualified.setKeyspace(client());
            }
            return raw.prepare(client());
        } catch (RecognitionException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static ClientRequest of(String text, ConsistencyLevel level) {
        return of(parse(text), level, null);
    }

    static ClientRequest of(CQLStatement statement, ConsistencyLevel level, Map<String, ByteBuffer> payload) {
        return ClientRequest.text(
                statement, new QueryState(client()), QueryOptions.forInternalCalls(level, List.of()), payload, now());
    }

    static ClientRequest prepared(String text, String... values) {
        List<ByteBuffer> bytes = new ArrayList<>();
        for (String value : values) {
            bytes.add(ByteBufferUtil.bytes(value));
        }
        return ClientRequest.prepared(
                parse(text),
                new QueryState(client()),
                QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, bytes),
                null,
                now());
    }

    /** The native protocol's batch, of texts without values. */
    static ClientRequest batch(String... texts) {
        BatchStatement batch = (BatchStatement) parse("BEGIN BATCH " + String.join("; ", texts) + " APPLY BATCH");
        List<List<ByteBuffer>> values = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            values.add(List.of());
        }
        return ClientRequest.batch(
                batch,
                new QueryState(client()),
                BatchQueryOptions.withPerStatementVariables(
                        QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()),
                        values,
                        new ArrayList<Object>(List.of(texts))),
                null,
                now());
    }

    private static RequestTime now() {
        long nanos = System.nanoTime();
        return new RequestTime(nanos, nanos);
    }
}
