/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;

/**
 * The tables in which a data centre keeps what its process knows: in a keyspace of its own, replicated in this data centre only.
 * Their write timestamps are not times but ballots, floors, counts and versions: what decides which write wins. Thread-safe.
 *
 * @param dc the data centre's number in the configuration
 */
record LogKeyspace(int dc, String dataCentre, int replicas) {
    static final String PREFIX = "meteorshower_transactions";

    /** What clients have registered. */
    static final String PROCEDURES = "procedures";

    /** Which format all the others are in. Keyspaces that earlier releases have made lack it. */
    static final String FORMATS = "formats";

    private static final String FORMATS_COLUMNS = "part int PRIMARY KEY, format int";

    /** All log rows of a data centre are in this one partition, so that a batch of records is one mutation. */
    static final int PARTITION = 0;

    /**
     * When a replica that does not answer a read is not waited for any longer. Cassandra takes seconds to notice that a node has died, and
     * who takes over has no such time. Not a percentile: where a node has never read a table, Cassandra waits for half of the read
     * time-out then, whatever else is named beside it.
     */
    private static final String ASK_ANOTHER = "20ms";

    private static final Map<String, String> TABLES = tables();

    private static Map<String, String> tables() {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("fence", "part int PRIMARY KEY, life bigint, owner uuid");
        tables.put("founding", "part int PRIMARY KEY, nonce uuid, members text");
        tables.put(FORMATS, FORMATS_COLUMNS);
        tables.put("promises", "part int, lane int, ballot bigint, PRIMARY KEY (part, lane)");
        tables.put("floors", "part int, lane int, floor bigint, PRIMARY KEY (part, lane)");
        tables.put(
                "accepts",
                "part int, lane int, position bigint, ballot bigint, entry blob, PRIMARY KEY (part, lane, position)");
        tables.put("generations", "part int, dc int, generation int, life bigint, PRIMARY KEY (part, dc)");
        tables.put("checkpoints", "part int, kind text, content blob, PRIMARY KEY (part, kind)");
        tables.put(
                "redo",
                "part int, count bigint, life bigint, chunk int, chunks int, content blob,"
                        + " PRIMARY KEY (part, count, life, chunk)");
        tables.put("rows", "tbl text, key text, version bigint, content blob, PRIMARY KEY ((tbl, key))");
        return tables;
    }

    String name() {
        return PREFIX + "_" + dc;
    }

    String table(String table) {
        return name() + "." + table;
    }

    /** @throws IllegalStateException if this node does not know the table (yet) */
    TableMetadata metadata(String table) {
        TableMetadata metadata = Schema.instance.getTableMetadata(name(), table);
        if (metadata == null) {
            throw new IllegalStateException(table(table) + " is not there");
        }
        return metadata;
    }

    /** Whether this node knows the keyspace. */
    boolean exists() {
        return Schema.instance.getKeyspaceMetadata(name()) != null;
    }

    /**
     * Whether this node is the only one that has the log's partitions and the fence: then what it has is what a quorum has.
     *
     * @throws IllegalStateException if this node does not know the keyspace (yet)
     */
    boolean isReplicatedHereOnly() {
        Token token = metadata("fence")
                .partitioner
                .decorateKey(Int32Type.instance.decompose(PARTITION))
                .getToken();
        EndpointsForToken natural =
                Keyspace.open(name()).getReplicationStrategy().getNaturalReplicasForToken(token);
        return natural.size() == 1 && natural.get(0).isSelf();
    }

    /** Makes it, or what an earlier version of this has not made of it. Two nodes may do so at once: names and ids are the same. */
    void create() {
        create(name(), TABLES, KeyspaceParams.nts(dataCentre, replicas));
        add(name(), FORMATS, FORMATS_COLUMNS);
    }

    /** What is known of all data centres, in all of them. What an earlier version of this has not made is added. */
    static void createShared(List<String> dataCentres, int replicas) {
        List<Object> replication = new ArrayList<>();
        for (String each : dataCentres) {
            replication.add(each);
            replication.add(replicas);
        }
        create(
                PREFIX,
                Map.of("founded", "data_centre text PRIMARY KEY, nonce uuid, members text"),
                KeyspaceParams.nts(replication.toArray()));
        add(
                PREFIX,
                PROCEDURES,
                "keyspace_name text, name text, version int, content text, digest text, dropped boolean,"
                        + " registered_by text, registered_at timestamp,"
                        + " PRIMARY KEY (keyspace_name, name, version)");
    }

    private static void add(String keyspace, String table, String columns) {
        if (Schema.instance.getTableMetadata(keyspace, table) == null) {
            var unused =
                    Schema.instance.transform(SchemaTransformations.addTable(table(keyspace, table, columns), true));
        }
    }

    private static void create(String keyspace, Map<String, String> tables, KeyspaceParams params) {
        if (Schema.instance.getKeyspaceMetadata(keyspace) != null) {
            return;
        }
        Tables.Builder made = Tables.builder();
        tables.forEach((table, columns) -> made.add(table(keyspace, table, columns)));
        var unused = Schema.instance.transform(
                SchemaTransformations.addKeyspace(KeyspaceMetadata.create(keyspace, params, made.build()), true));
    }

    private static TableMetadata table(String keyspace, String table, String columns) {
        return CreateTableStatement.parse(
                        "CREATE TABLE " + table + " (" + columns + ") WITH speculative_retry = '" + ASK_ANOTHER + "'",
                        keyspace)
                .id(TableId.fromUUID(UUID.nameUUIDFromBytes((keyspace + "." + table).getBytes(StandardCharsets.UTF_8))))
                .comment("MeteorShower's own: not to be written by others")
                .build();
    }
}
