/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * Transactions in one data centre of three nodes, of which one runs its process. Each test goes on from the last. Takes
 * two minutes, so only where asked for: {@code -Dlong.tests=true}.
 */
@LongTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TransactionsTakeoverIT {
    private static final Duration SOON = Duration.ofSeconds(90);

    /** So long others are looked at after something has happened to the one that runs the process. */
    private static final Duration WATCH = Duration.ofSeconds(8);

    /** How often each thing happens: {@code -Dtakeovers=5} for figures. */
    private static final int REPEATS = Integer.getInteger("takeovers", 1);

    private static TestCluster cluster;
    private static Path folder;
    private static final Map<String, CqlSession> sessions = new LinkedHashMap<>();
    private static final AtomicInteger acknowledged = new AtomicInteger();
    private static final AtomicInteger failed = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("meteorshower");
        cluster = TestCluster.start(
                "TransactionsTakeover",
                folder,
                ClusterOptions.builder().dcs(List.of("eu")).nodesPerDc(3));
        for (NodeSpec node : cluster.nodes().nodes()) {
            sessions.put(node.name(), TestCluster.connectorTo(node).build());
        }
        cluster.cql("eu")
                .execute("CREATE KEYSPACE faults WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 3}");
        cluster.create("accounts", "id int PRIMARY KEY, v int");
    }

    @AfterAll
    static void stop() throws Exception {
        sessions.values().forEach(CqlSession::close);
        if (cluster != null) {
            cluster.close();
            Files.delete(folder);
        }
    }

    @Test
    @Order(1)
    void everyNodeTakesTransactionsAndOneRunsThem() throws Exception {
        cluster.letIn("eu", "accounts");
        for (CqlSession session : sessions.values()) {
            Waiting.until(SOON, () -> add(session));
        }
        long representatives = sessions.values().stream()
                .filter(session -> role(session).equals("representative"))
                .count();
        assertThat(representatives).isEqualTo(1);
        for (CqlSession session : sessions.values()) {
            assertThat(value(session)).isBetween((long) acknowledged.get(), (long) acknowledged.get() + failed.get());
        }
    }

    @Test
    @Order(2)
    void anotherNodeTakesOverWhenItDiesAndNothingAcknowledgedIsLost() throws Exception {
        for (int i = 0; i < REPEATS; i++) {
            String first = representative();
            strike("killed", first, () -> cluster.nodes().kill(first), new ArrayList<>());
            cluster.nodes().restart(first, TestCluster.START_LIMIT, System.out::println);
            Waiting.until(SOON, () -> add(sessions.get(first)));
            assertNothingIsLost(first);
            assertThat(role(sessions.get(first))).isEqualTo("follower");
        }
    }

    @Test
    @Order(3)
    void whoStopsInGoodOrderHandsOverAndNobodyFails() throws Exception {
        for (int i = 0; i < REPEATS; i++) {
            String first = representative();
            List<String> failures = new ArrayList<>();
            strike(
                    "stopped",
                    first,
                    () -> cluster.nodes().restart(first, TestCluster.START_LIMIT, System.out::println),
                    failures);
            assertThat(failures).isEmpty();
            Waiting.until(SOON, () -> add(sessions.get(first)));
            assertNothingIsLost(first);
        }
    }

    @Test
    @Order(4)
    void aPauseOfSomeHundredMillisecondsChangesNothing() throws Exception {
        String first = representative();
        for (int i = 0; i < 3; i++) {
            long begunNanos = System.nanoTime();
            cluster.nodes().pause(first);
            Thread.sleep(400);
            cluster.nodes().resume(first);
            boolean asMeant = System.nanoTime() - begunNanos < 700_000_000L; // not on a machine that is far too busy
            Thread.sleep(1_500);
            if (asMeant) {
                assertThat(representative()).isEqualTo(first);
            }
        }
    }

    @Test
    @Order(5)
    void whoStandsStillIsReplacedAndDoesNoHarmWhenItGoesOn() throws Exception {
        for (int i = 0; i < REPEATS; i++) {
            String first = representative();
            try (Knocking there = new Knocking(cluster.nodes().node(first), acknowledged, failed)) {
                there.awaitAnswers(20, SOON);
                strike("stands still", first, () -> cluster.nodes().pause(first), new ArrayList<>());
                long resumedNanos = System.nanoTime();
                cluster.nodes().resume(first);
                there.awaitAnswers(20, SOON);
                System.out.println("takeover: back again, there: " + there.told(resumedNanos));
            }
            assertThat(role(sessions.get(first))).isEqualTo("follower");
            assertNothingIsLost(first);
        }
    }

    private interface Strike {
        void happens() throws Exception;
    }

    /**
     * Strikes the node that runs the process while clients of the others work, and prints how long these were without
     * an answer.
     *
     * @param failures takes what they were told of failures
     */
    private static void strike(String how, String node, Strike strike, List<String> failures) throws Exception {
        List<Knocking> others = new ArrayList<>();
        try {
            for (NodeSpec other : cluster.nodes().nodes()) {
                if (!other.name().equals(node)) {
                    others.add(new Knocking(other, acknowledged, failed));
                }
            }
            for (Knocking each : others) {
                each.awaitAnswers(100, SOON);
            }
            long sinceNanos = System.nanoTime();
            strike.happens();
            long untilNanos = sinceNanos + WATCH.toNanos();
            Thread.sleep(Math.max(0, (untilNanos - System.nanoTime()) / 1_000_000));
            for (Knocking each : others) {
                each.awaitAnswers(20, SOON);
            }
            StringBuilder told = new StringBuilder();
            for (Knocking each : others) {
                told.append("; ").append(each.told(sinceNanos));
                failures.addAll(each.failures());
            }
            System.out.println("takeover: " + node + " " + how + ", longest without an answer at others" + told);
            for (Knocking each : others) {
                each.failures().forEach(failure -> System.out.println("takeover: " + each.node() + ": " + failure));
                assertThat(each.failures())
                        .as("nobody fails but who was under way")
                        .hasSizeLessThanOrEqualTo(2);
            }
        } finally {
            for (Knocking each : others) {
                each.close();
            }
        }
    }

    private static void assertNothingIsLost(String node) {
        assertThat(value(sessions.get(node)))
                .isBetween((long) acknowledged.get(), (long) acknowledged.get() + failed.get());
    }

    private static String representative() {
        return sessions.entrySet().stream()
                .filter(session -> role(session.getValue()).equals("representative"))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static String role(CqlSession session) {
        Row row = session.execute("SELECT role, representative FROM meteorshower.transactions WHERE data_centre = 'eu'")
                .one();
        UUID named = row.getUuid("representative");
        return named == null ? "nobody" : row.getString("role");
    }

    private static void add(CqlSession session) {
        try {
            session.execute("UPDATE meteorshower.transactions_probe SET added = 1 WHERE name = 'it'");
            acknowledged.incrementAndGet();
        } catch (DriverException e) {
            failed.incrementAndGet();
            throw e;
        }
    }

    private static long value(CqlSession session) {
        return session.execute("SELECT value FROM meteorshower.transactions_probe WHERE name = 'it'")
                .one()
                .getLong("value");
    }
}
