/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.checker.Model;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * A data centre without a replica reads from the one of two others that is nearer, whichever that is, and from both
 * where they are as near. Each test goes on from the last.
 */
@LongTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class NearestIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final double NEAR_MILLIS = 5;
    private static final double FAR_MILLIS = 40;
    private static final int SOME = 40;

    /** Of {@link #SOME} reads: a machine that stands still for a moment makes a few go another way. */
    private static final int NEARLY_ALL = 36;

    @TempDir
    private static Path folder;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "NearestIT",
                folder,
                ClusterOptions.builder()
                        .dcs(List.of("app", "east", "west"))
                        .delaysMillis(List.of(NEAR_MILLIS, NEAR_MILLIS, FAR_MILLIS))); // app-east, east-west, app-west
        cluster.changeSchema("CREATE KEYSPACE " + TestCluster.KEYSPACE
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'east': 1, 'west': 1}");
        cluster.create("far", "id int PRIMARY KEY, v int");
        cluster.cql("east")
                .execute("INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('faults', 'far')");
        for (String dc : List.of("east", "west")) { // the third has nothing to serve
            Waiting.until(SOON, () -> assertThat(cluster.stateOf(dc, "far")).isEqualTo("served"));
        }
        cluster.cql("east").execute(ThreeNodes.quorum("INSERT INTO faults.far (id, v) VALUES (1, 1)"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void theNearerReplicaServesTheReads() throws Exception {
        Waiting.until(SOON, () -> {
            assertThat(servedBy(SOME).get("east")).isGreaterThanOrEqualTo(NEARLY_ALL);
            // One that is not asked is probed once a second, where reads are made.
            assertThat(way("west").getLong("probes")).isPositive();
        });
        assertThat(way("east").getLong("round_trip_micros"))
                .isLessThan(way("west").getLong("round_trip_micros"));
    }

    @Test
    @Order(2)
    void whereTheOtherBecomesTheNearerOneItDoes() throws Exception {
        distances(FAR_MILLIS, NEAR_MILLIS);
        Waiting.until(SOON, () -> assertThat(servedBy(SOME).get("west")).isGreaterThanOrEqualTo(NEARLY_ALL));
    }

    @Test
    @Order(3)
    void replicasThatAreAsNearShareTheReads() throws Exception {
        distances(NEAR_MILLIS, NEAR_MILLIS);
        Waiting.until(SOON, () -> assertThat(servedBy(SOME).values()).hasSize(2).allSatisfy(reads -> assertThat(reads)
                .isGreaterThanOrEqualTo(SOME / 2 - 2)));
    }

    @Test
    @Order(4)
    void oneThatStandsStillIsHedgedAndThenNotAskedUntilItAnswersAProbe() throws Exception {
        long hedged = way("west").getLong("hedged");
        cluster.nodes().pause("west-1");
        try {
            servedBy(SOME); // none fails
            assertThat(way("west").getLong("hedged")).isGreaterThan(hedged);
            assertThat(way("west").getBoolean("suspected")).isTrue();
            assertThat(servedBy(SOME).get("east")).isEqualTo(SOME);
        } finally {
            cluster.nodes().resume("west-1");
        }
        Waiting.until(SOON, () -> assertThat(servedBy(SOME).get("west")).isGreaterThanOrEqualTo(SOME / 2 - 2));
    }

    @Test
    @Order(5)
    void whoHoldsNoReplicaWritesRowsWithStrictReadsAtHomeAllTheSame() throws Exception {
        cluster.create("homes", "id int PRIMARY KEY, v text");
        cluster.cql("east")
                .execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options)"
                        + " VALUES ('faults', 'homes', 'strict=home')");
        for (String dc : List.of("east", "west")) {
            Waiting.until(SOON, () -> assertThat(cluster.stateOf(dc, "homes")).isEqualTo("served"));
        }
        Waiting.until(SOON, () -> assertThat(cluster.stateOf("app", "homes")).contains("forwards its reads"));
        Waiting.until(SOON, () -> cluster.cql("app")
                .execute(ThreeNodes.quorum("INSERT INTO faults.homes (id, v) VALUES (1, 'from afar')")));
        MovingSessions.check(cluster, "homes", ConsistencyLevel.QUORUM, ReadMode.STRICT, Model.LINEARIZABLE);
        cluster.cql("app")
                .execute(ThreeNodes.quorum("BEGIN BATCH INSERT INTO faults.homes (id, v) VALUES (1, 'x');"
                        + " INSERT INTO faults.far (id, v) VALUES (1, 1) APPLY BATCH"));
    }

    private static void distances(double toEastMillis, double toWestMillis) {
        cluster.wan().set("app", "east", toEastMillis, 0, 0, false);
        cluster.wan().set("app", "west", toWestMillis, 0, 0, false);
    }

    /** Reads so often from the data centre without a replica; how many of the reads each other one was asked for. */
    private static Map<String, Long> servedBy(int reads) {
        Map<String, Long> before = reads();
        for (int i = 0; i < reads; i++) {
            Row row = cluster.cql("app")
                    .execute(ThreeNodes.quorum("SELECT v FROM faults.far WHERE id = 1"))
                    .one();
            assertThat(row).isNotNull();
        }
        Map<String, Long> after = reads();
        after.replaceAll((dc, count) -> count - before.getOrDefault(dc, 0L));
        return after;
    }

    private static Map<String, Long> reads() {
        Map<String, Long> reads = new HashMap<>();
        cluster.cql("app")
                .execute("SELECT data_centre, reads FROM meteorshower.ways")
                .forEach(row -> reads.put(row.getString(0), row.getLong(1)));
        return reads;
    }

    private static Row way(String dc) {
        return cluster.cql("app").execute("SELECT * FROM meteorshower.ways").all().stream()
                .filter(row -> dc.equals(row.getString("data_centre")))
                .findFirst()
                .orElseThrow();
    }
}
