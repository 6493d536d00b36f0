/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real node says of partitions without reading them. */
final class HomeReplicaIT {
    private static final int KEYS = 500;

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
    }

    private static TableMetadata table(String keyspace, String replication) {
        execute("CREATE KEYSPACE " + keyspace + " WITH replication = " + replication);
        execute("CREATE TABLE " + keyspace + ".t (id int PRIMARY KEY, v int)");
        return Schema.instance.getTableMetadata(keyspace, "t");
    }

    private static void execute(String statement) {
        var unused = QueryProcessor.process(statement, ConsistencyLevel.ONE);
    }

    private static DecoratedKey key(TableMetadata table, int id) {
        return table.partitioner.decorateKey(Int32Type.instance.decompose(id));
    }

    private static long withNothing(TableMetadata table, int from) {
        return IntStream.range(from, from + KEYS)
                .filter(id -> HomeReplica.hasNothing(table, key(table, id)))
                .count();
    }

    @Test
    void nothingIsSaidOfWhatIsThereAndOfMostThatIsNot() {
        TableMetadata table = table("home", "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
        assertThat(withNothing(table, 0)).isEqualTo(KEYS);
        for (int id = 0; id < KEYS; id++) {
            execute("INSERT INTO home.t (id, v) VALUES (" + id + ", 1)");
        }
        assertThat(withNothing(table, 0)).as("in the memtable").isZero();
        assertThat(withNothing(table, KEYS)).isEqualTo(KEYS);

        ColumnFamilyStore.getIfExists(table).forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
        assertThat(withNothing(table, 0)).as("in an SSTable").isZero();
        assertThat(withNothing(table, KEYS))
                .as("but for what the filter lets pass")
                .isGreaterThan(KEYS * 9 / 10);

        execute("DELETE FROM home.t WHERE id = 0");
        assertThat(HomeReplica.hasNothing(table, key(table, 0))).isFalse();
    }

    @Test
    void nothingIsSaidWhereOthersMayHaveIt() {
        TableMetadata simple = table("home_simple", "{'class': 'SimpleStrategy', 'replication_factor': 1}");
        TableMetadata two = table("home_of_two", "{'class': 'NetworkTopologyStrategy', 'datacenter1': 2}");

        assertThat(withNothing(simple, 0)).isZero();
        assertThat(withNothing(two, 0)).isZero();
    }
}
