/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.net.URL;
import java.util.Objects;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;

/** Tables that exist in this process only, in Cassandra's own schema. */
public final class TestTables {
    private static final URL CONFIG = Objects.requireNonNull(TestTables.class.getResource("/cassandra-for-tests.yaml"));

    static {
        System.setProperty("cassandra.config", CONFIG.toString());
        DatabaseDescriptor.toolInitialization();
    }

    /** A row per partition: {@code k} to {@code a}, {@code b}. */
    /** What the middleware calls a table, in tests that do not care which. */
    public static final UUID ID = new UUID(1, 2);

    public static final TableMetadata PAIRS = TableMetadata.builder("test", "pairs")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", UTF8Type.instance)
            .addRegularColumn("a", UTF8Type.instance)
            .addRegularColumn("b", UTF8Type.instance)
            .build();

    /** Rows {@code c} in each partition, with a static column and a collection. */
    public static final TableMetadata CART = TableMetadata.builder("test", "cart")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", UTF8Type.instance)
            .addClusteringColumn("c", Int32Type.instance)
            .addStaticColumn("s", UTF8Type.instance)
            .addRegularColumn("a", UTF8Type.instance)
            .addRegularColumn("b", UTF8Type.instance)
            .addRegularColumn("m", MapType.getInstance(UTF8Type.instance, UTF8Type.instance, true))
            .build();

    static {
        KeyspaceMetadata keyspace = KeyspaceMetadata.create("test", KeyspaceParams.simple(1), Tables.of(PAIRS, CART));
        Schema.instance.transform(SchemaTransformations.addKeyspace(keyspace, true));
    }

    private TestTables() {}
}
