/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * What operators do to a cluster while sessions are at work: repair it, add nodes, take some away, replace dead ones,
 * change the schema. What the sessions see stays sequentially consistent, and goes on by itself.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class OperationsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration AFTER_A_MOVE = Duration.ofMinutes(3);

    /** The least that can be configured. */
    private static final int MAX_RECORDS = 1_000;

    private static final int AT_ONCE = 20;

    @TempDir
    private static Path folder;

    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                "OperationsIT",
                folder,
                ClusterOptions.builder()
                        .delaysMillis(List.of(5.0))
                        // Who was left behind waits for the test, which does by hand what it would do by itself.
                        .pluginOptions(
                                Map.of("max_records", Integer.toString(MAX_RECORDS), "automatic_return", "false"))
                        .cassandraOptions(Map.of(
                                "hinted_handoff_enabled",
                                "false",
                                "materialized_views_enabled",
                                "true",
                                "read_request_timeout", // on a machine that also starts a node
                                "8s",
                                "write_request_timeout",
                                "8s")));
        cluster.createKeyspace();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void whatWouldMakeAnEnabledTableUnservableIsRefusedWithTheCauseAndTheCure() throws Exception {
        cluster.createEnabled("guarded", "id int PRIMARY KEY, v int");
        CqlSession eu = cluster.cql("eu");
        assertThatThrownBy(() -> eu.execute("CREATE MATERIALIZED VIEW faults.guarded_by_v AS SELECT id, v FROM"
                        + " faults.guarded WHERE v IS NOT NULL AND id IS NOT NULL PRIMARY KEY (v, id)"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("faults.guarded is enabled")
                .hasMessageContaining("materialized views")
                .hasMessageContaining("disable the table first");
        assertThatThrownBy(() -> eu.execute("ALTER TABLE faults.guarded WITH gc_grace_seconds = 0"))
                .hasMessageContaining("gc_grace_seconds = 0");
        assertThatThrownBy(() -> eu.execute("ALTER KEYSPACE faults WITH durable_writes = false"))
                .hasMessageContaining("durable_writes = false");
        assertThatThrownBy(() -> eu.execute("CREATE TRIGGER t ON faults.guarded USING 'no.such.Trigger'"))
                .isInstanceOf(InvalidQueryException.class);
        eu.execute(eu.prepare("ALTER TABLE faults.guarded WITH comment = 'harmless'")
                .bind());
        cluster.changeSchema("ALTER TABLE faults.guarded ADD w int");
        cluster.changeSchema("CREATE TABLE faults.other (id int PRIMARY KEY) WITH gc_grace_seconds = 0");

        // The others learn of the new column a moment later.
        Waiting.until(
                SOON, () -> eu.execute(ThreeNodes.quorum("INSERT INTO faults.guarded (id, v, w) VALUES (1, 2, 3)")));
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(cluster.cql(dc)
                            .execute(ThreeNodes.quorum("SELECT w FROM faults.guarded WHERE id = 1"))
                            .one()
                            .getInt(0))
                    .isEqualTo(3));
        }
    }

    @LongTest
    @Test
    @Order(2)
    void aReplicaThatMissedTooMuchIsRepairedWhileSessionsAreAtWorkAndServesAgain() throws Exception {
        try (Workload workload = Workload.start(cluster, "repaired")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("cut us");
            cluster.wan().cut("us", null, false);
            UUID us = hostId("us");
            writeMoreThanIsKept("repaired");
            for (String dc : List.of("eu", "asia")) {
                Waiting.until(SOON, () -> assertThat(stateOf(dc, us)).isEqualTo("left behind"));
            }
            workload.note("heal; us is left behind");
            cluster.wan().heal();
            workload.awaitProgress("eu", "asia");
            Waiting.until(SOON, () -> assertThat(tableState("us", "repaired")).contains("was left behind by"));
            assertThat(tableState("eu", "repaired")).isEqualTo("served");
            assertThatThrownBy(() -> set("eu", us, "repaired")).hasMessageContaining("was not announced");

            set("eu", us, "repairing");
            set("asia", us, "repairing");
            workload.note("repair");
            try (Jmx jmx = Jmx.of(cluster, "us-1")) {
                jmx.repair("faults", "repaired");
            }
            set("eu", us, "repaired");
            set("asia", us, "repaired");
            workload.note("repaired");
            Waiting.until(SOON, () -> assertThat(stateOf("eu", us)).isEqualTo("not left behind"));
            workload.awaitProgress("us", "eu", "asia");
            Waiting.until(SOON, () -> assertThat(tableState("us", "repaired")).isEqualTo("served"));
            awaitLocalReads("us", "repaired");
            workload.note("repair once more, with nothing left to repair but what is in flight");
            try (Jmx jmx = Jmx.of(cluster, "asia-1")) {
                jmx.repair("faults", "repaired");
            }
            workload.awaitProgress("us", "eu", "asia");
            awaitLocalReads("asia", "repaired");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @Test
    @Order(3)
    void aNodeJoinsWhileSessionsAreAtWork() throws Exception {
        try (Workload workload = Workload.start(cluster, "moving");
                StockClients stock = new StockClients(cluster, "moving")) {
            workload.awaitProgress("eu", "us", "asia");
            NodeSpec joining = new NodeSpec("eu-2", "eu", addressAfter(3), 1_000);
            String before = epochOf("moving");
            stock.begin();
            workload.note("eu-2 joins");
            workload.calmly(
                    () -> cluster.nodes().add(joining, List.of(), TestCluster.START_LIMIT, System.out::println));
            workload.note("eu-2 has joined");
            awaitNewEpoch("moving", before);
            awaitServed("moving", joining);
            workload.note("served by the new ring");
            workload.awaitProgress("eu", "us", "asia");
            awaitLocalReads(joining, "moving");
            checkEnd("a node joins", workload, stock);
        }
    }

    @LongTest
    @Test
    @Order(4)
    void aNodeLeavesWhileSessionsAreAtWork() throws Exception {
        try (Workload workload = Workload.start(cluster, "leaving");
                StockClients stock = new StockClients(cluster, "leaving")) {
            workload.awaitProgress("eu", "us", "asia");
            String before = epochOf("leaving");
            stock.begin();
            workload.note("eu-2 leaves");
            try (Jmx jmx = Jmx.of(cluster, "eu-2")) {
                jmx.decommission();
            }
            workload.note("eu-2 has left");
            cluster.nodes().forget("eu-2");
            awaitNewEpoch("leaving", before);
            awaitServed("leaving");
            workload.note("served by the old ring again");
            workload.awaitProgress("eu", "us", "asia");
            checkEnd("a node leaves", workload, stock);
        }
    }

    private static void checkEnd(String what, Workload workload, StockClients stock) throws Exception {
        System.out.println(what + ": " + stock);
        stock.close();
        assertThat(stock.failures()).isEmpty();
        assertThat(stock.unanswered()).isZero();
        EndState.check(workload, workload.stopAndCheck());
    }

    private static String addressAfter(int nodes) {
        String first = cluster.nodes().options().firstAddress();
        return first.substring(0, first.lastIndexOf('.') + 1) + (1 + nodes);
    }

    /** What the schema says of the table's place; changes when its partitions have moved. */
    private static String epochOf(String table) {
        Map<String, ByteBuffer> extensions = cluster.cql("us")
                .execute(
                        "SELECT extensions FROM system_schema.tables WHERE keyspace_name = 'faults' AND table_name = ?",
                        table)
                .one()
                .getMap(0, String.class, ByteBuffer.class);
        return StandardCharsets.UTF_8
                .decode(extensions.get("meteorshower").duplicate())
                .toString();
    }

    private static void awaitNewEpoch(String table, String before) throws InterruptedException {
        Waiting.until(AFTER_A_MOVE, () -> assertThat(epochOf(table)).isNotEqualTo(before));
    }

    /** Waits until every node that holds some of the table serves the epoch that the schema has now. */
    private static void awaitServed(String table, NodeSpec... more) throws InterruptedException {
        for (NodeSpec node : more) {
            try (CqlSession session = TestCluster.connectorTo(node).build()) {
                awaitServed(session, table);
            }
        }
        for (String dc : cluster.dcs()) {
            awaitServed(cluster.cql(dc), table);
        }
    }

    private static void awaitServed(CqlSession session, String table) throws InterruptedException {
        Waiting.until(AFTER_A_MOVE, () -> {
            Row row = session.execute(
                            "SELECT state FROM meteorshower.tables WHERE keyspace_name = 'faults' AND table_name = ?",
                            table)
                    .one();
            assertThat(row == null ? null : row.getString(0)).isEqualTo("served");
        });
    }

    private static void awaitLocalReads(String dc, String table) throws InterruptedException {
        awaitLocalReads(cluster.cql(dc), dc, table);
    }

    private static void awaitLocalReads(NodeSpec node, String table) throws InterruptedException {
        try (CqlSession session = TestCluster.connectorTo(node).build()) {
            awaitLocalReads(session, node.dc(), table);
        }
    }

    /** Rows that nobody writes, so that nothing keeps a replica from answering at once. */
    private static void awaitLocalReads(CqlSession cql, String dc, String table) throws InterruptedException {
        MeteorShowerSession session = MeteorShowerSession.builder()
                .dataCentre(dc, cql)
                .requireServed(true)
                .build();
        for (int row = 1_000; row < 1_010; row++) {
            int each = row;
            Waiting.until(SOON, () -> {
                var result = session.execute("SELECT value FROM faults." + table + " WHERE id = " + each);
                assertThat(ReadInfo.of(result.getExecutionInfo()).orElseThrow().served())
                        .isIn(Served.LOCAL, Served.OLDER);
            });
        }
    }

    private static void writeMoreThanIsKept(String table) {
        for (int first = 2_000; first < 2_000 + MAX_RECORDS + 100; first += AT_ONCE) {
            List<CompletableFuture<?>> writes = IntStream.range(first, first + AT_ONCE)
                    .<CompletableFuture<?>>mapToObj(row -> cluster.cql("eu")
                            .executeAsync(ThreeNodes.quorum(
                                    "INSERT INTO faults." + table + " (id, value) VALUES (" + row + ", 'x')"))
                            .toCompletableFuture())
                    .toList();
            writes.forEach(CompletableFuture::join);
        }
    }

    private static UUID hostId(String dc) {
        return cluster.cql(dc).execute("SELECT host_id FROM system.local").one().getUuid(0);
    }

    private static String tableState(String dc, String table) {
        return String.valueOf(cluster.cql(dc)
                .execute(
                        "SELECT state FROM meteorshower.tables WHERE keyspace_name = 'faults' AND table_name = ?",
                        table)
                .one()
                .getString(0));
    }

    private static String stateOf(String dc, UUID peer) {
        Row row = cluster.cql(dc)
                .execute("SELECT state FROM meteorshower.left_behind WHERE host_id = ?", peer)
                .one();
        return row == null ? "not left behind" : String.valueOf(row.getString(0));
    }

    private static void set(String dc, UUID peer, String state) {
        cluster.cql(dc).execute("UPDATE meteorshower.left_behind SET state = ? WHERE host_id = ?", state, peer);
    }
}
