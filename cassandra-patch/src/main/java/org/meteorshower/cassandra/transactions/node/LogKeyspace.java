/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.meteorshower.cassandra.transactions.LaneGroup;

/**
 * The tables in which a data centre keeps what its process knows: in a keyspace of its own, replicated in this data
 * centre only. Their write timestamps are not times but ballots, floors, counts and versions: what decides which write
 * wins. Thread-safe.
 *
 * @param group the number of the group of lanes
 * @param dc the data centre's number in that group
 */
record LogKeyspace(int group, int dc, String dataCentre, int replicas) {
    static final String PREFIX = "meteorshower_transactions";

    /** What clients have registered. */
    static final String PROCEDURES = "procedures";

    /** Which format all the others are in. Keyspaces that earlier releases have made lack it. */
    static final String FORMATS = "formats";

    private static final String FORMATS_COLUMNS = "part int PRIMARY KEY, format int";

    /** All records of a data centre but its log's entries and its rows are in this one partition. */
    static final int PARTITION = 0;

    /**
     * When a replica that does not answer a read is not waited for any longer. Cassandra takes seconds to notice that a
     * node has died, and who takes over has no such time. Not a percentile: where a node has never read a table,
     * Cassandra waits for half of the read time-out then, whatever else is named beside it.
     */
    private static final String ASK_ANOTHER = "20ms";

    /**
     * So long deletions are kept: as long as a node may be away and still be told of them by hints. What comes back
     * later than that is read by nobody, since it is below a floor or of an edition that is forgotten; it only takes
     * space.
     */
    private static final String FORGETS = " AND gc_grace_seconds = 10800";

    /** Entries of the log, by bucket of positions. */
    static final String ENTRIES = "log_entries";

    /** In which buckets a lane has entries, with how many bytes it had taken before. */
    static final String BUCKETS = "log_buckets";

    static final String SETTLED = "log_settled";

    /** Below which the log is deleted, and below which no vote is given. */
    static final String LIMITS = "log_limits";

    /** Rows, each in some versions. */
    static final String VERSIONS = "row_versions";

    /** Which rows there are versions of, by partition of their table and in its order. */
    static final String KEYS = "row_keys";

    /** Which rows are to be looked at when, by minute, since something of them ends. */
    static final String DUE = "rows_due";

    /** What transactions have set, in the merged order, by bucket of places. */
    static final String CHANGES = "changes";

    /** Which buckets there are, with how many bytes had been written before each. */
    static final String CHANGE_BUCKETS = "change_buckets";

    /** From where on, and up to where, the change stream is whole. */
    static final String CHANGE_LIMITS = "change_limits";

    /** What the log and the rows are kept in. Keyspaces that earlier releases have made lack these. */
    private static final Map<String, String> LAYOUT = Map.of(
            CHANGES,
            "bucket bigint, place bigint, idx int, tbl text, key text, row text,"
                    + " PRIMARY KEY (bucket, place, idx, tbl, key))",
            CHANGE_BUCKETS,
            "part int, bucket bigint, bytes bigint, PRIMARY KEY (part, bucket)",
            CHANGE_LIMITS,
            "part int PRIMARY KEY, oldest bigint, below bigint, written bigint",
            ENTRIES,
            "bucket bigint, lane int, position bigint, ballot bigint, size int, entry blob,"
                    + " PRIMARY KEY (bucket, lane, position)",
            BUCKETS,
            "part int, lane int, bucket bigint, bytes bigint, PRIMARY KEY (part, lane, bucket)",
            SETTLED,
            "part int, lane int, below bigint, bytes bigint, ballot bigint, PRIMARY KEY (part, lane)",
            LIMITS,
            "part int, lane int, floor bigint, barred bigint, trimmed bigint, PRIMARY KEY (part, lane)",
            VERSIONS,
            "edition int, tbl text, key text, version bigint, previous bigint, size int, content blob,"
                    + " PRIMARY KEY ((edition, tbl, key), version)) WITH CLUSTERING ORDER BY (version DESC",
            KEYS,
            "edition int, tbl text, part text, place blob, key text, PRIMARY KEY ((edition, tbl, part), place, key)",
            DUE,
            "minute bigint, due bigint, tbl text, key text, PRIMARY KEY (minute, due, tbl, key)");

    private static final Map<String, String> TABLES = tables();

    private static Map<String, String> tables() {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("fence", "part int PRIMARY KEY, life bigint, owner uuid");
        tables.put("founding", "part int PRIMARY KEY, nonce uuid, members text");
        tables.put(FORMATS, FORMATS_COLUMNS);
        tables.put("promises", "part int, lane int, ballot bigint, PRIMARY KEY (part, lane)");
        tables.put("generations", "part int, dc int, generation int, life bigint, PRIMARY KEY (part, dc)");
        tables.put("checkpoints", "part int, kind text, content blob, PRIMARY KEY (part, kind)");
        tables.putAll(LAYOUT);
        return tables;
    }

    String name() {
        return shared() + "_" + dc;
    }

    /** The keyspace of what is known of all data centres of the group, in all of them. */
    String shared() {
        return shared(group);
    }

    private static String shared(int group) {
        return group == LaneGroup.WHOLE ? PREFIX : PREFIX + "_g" + group;
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
     * Whether this node is the only one that has the log's partitions and the fence: then what it has is what a quorum
     * has.
     *
     * @throws IllegalStateException if this node does not know the keyspace (yet)
     */
    boolean isReplicatedHereOnly() {
        return isReplicatedHereOnly(key("fence", PARTITION));
    }

    private boolean isReplicatedHereOnly(DecoratedKey key) {
        return HomeReplica.isAlone(name(), key);
    }

    /** @throws IllegalStateException if this node does not know the table (yet) */
    DecoratedKey key(String table, Object... values) {
        TableMetadata metadata = metadata(table);
        return metadata.partitioner.decorateKey(
                metadata.partitionKeyAsClusteringComparator().make(values).serializeAsPartitionKey());
    }

    /** Reads from a quorum of the partition's replicas; on this thread where this node is the only one. Blocks. */
    UntypedResultSet read(DecoratedKey partition, String select, Object... values) {
        return isReplicatedHereOnly(partition)
                ? QueryProcessor.executeInternal(select, values)
                : QueryProcessor.execute(select, ConsistencyLevel.LOCAL_QUORUM, values);
    }

    /**
     * Makes it, or what an earlier version of this has not made of it. Two nodes may do so at once: names and ids are
     * the same.
     */
    void create() {
        create(name(), TABLES, KeyspaceParams.nts(dataCentre, replicas));
        add(name(), FORMATS, FORMATS_COLUMNS);
        LAYOUT.forEach((table, columns) -> add(name(), table, columns));
    }

    /**
     * What is known of all data centres of a group, in all of them. What an earlier version of this has not made is
     * added.
     */
    static void createShared(LaneGroup group, int replicas) {
        List<Object> replication = new ArrayList<>();
        for (String each : group.dataCentres()) {
            replication.add(each);
            replication.add(replicas);
        }
        create(
                shared(group.number()),
                Map.of("founded", "data_centre text PRIMARY KEY, nonce uuid, members text"),
                KeyspaceParams.nts(replication.toArray()));
        if (group.isWhole()) {
            add(
                    PREFIX,
                    PROCEDURES,
                    "keyspace_name text, name text, version int, content text, digest text, dropped boolean,"
                            + " registered_by text, registered_at timestamp,"
                            + " PRIMARY KEY (keyspace_name, name, version)");
        }
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
                        "CREATE TABLE " + table + " (" + columns + (columns.contains(") WITH ") ? ") AND" : ") WITH")
                                + " speculative_retry = '" + ASK_ANOTHER + "'"
                                + (LAYOUT.containsKey(table) ? FORGETS : ""),
                        keyspace)
                .id(TableId.fromUUID(UUID.nameUUIDFromBytes((keyspace + "." + table).getBytes(StandardCharsets.UTF_8))))
                .comment("MeteorShower's own: not to be written by others")
                .build();
    }
}
