/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * Transactions in one data centre of three nodes, of which one runs its process. Each test goes on from the last. Takes 80 s, so only where
 * asked for: {@code -Dlong.tests=true}.
 */
@EnabledIfSystemProperty(
        named = "long.tests",
        matches = "true",
        disabledReason = "takes 80 s; -Dlong.tests=true runs it")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TransactionsTakeoverIT {
    private static final Duration SOON = Duration.ofSeconds(90);

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
        cluster.cql("eu")
                .execute("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = 'faults'"
                        + " AND table_name = 'accounts'");
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
        String first = representative();
        for (int i = 0; i < 20; i++) {
            add(sessions.get(first));
        }
        cluster.nodes().kill(first);
        long begunNanos = System.nanoTime();
        for (Map.Entry<String, CqlSession> session : sessions.entrySet()) {
            if (!session.getKey().equals(first)) {
                Waiting.until(SOON, () -> add(session.getValue()));
                System.out.printf(
                        "transactions: %s commits again %.1f s after the process's node was killed%n",
                        session.getKey(), (System.nanoTime() - begunNanos) / 1e9);
                assertThat(value(session.getValue()))
                        .isBetween((long) acknowledged.get(), (long) acknowledged.get() + failed.get());
            }
        }
        cluster.nodes().restart(first, TestCluster.START_LIMIT, System.out::println);
        Waiting.until(SOON, () -> add(sessions.get(first)));
        assertThat(value(sessions.get(first)))
                .isBetween((long) acknowledged.get(), (long) acknowledged.get() + failed.get());
        assertThat(role(sessions.get(first))).isEqualTo("follower");
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
