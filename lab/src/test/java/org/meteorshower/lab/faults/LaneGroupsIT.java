/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.client.transactions.RowQuery.select;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.client.SessionToken;
import org.meteorshower.client.transactions.Change;
import org.meteorshower.client.transactions.TransactionStatement;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.transactions.EnabledTable;

/**
 * Groups of lanes on a cluster of three data centres: tables of all of them, of two, and of one. What each promises to
 * clients of all data centres, and that one goes on while others cannot.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LaneGroupsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String FAR = "faults";
    private static final String NEAR = "near";
    private static final String HOME = "home";

    /** The data centres of each keyspace's group. */
    private static final Map<String, String> GROUPS =
            new TreeMap<>(Map.of(FAR, "eu,us,asia", NEAR, "eu,us", HOME, "eu"));

    private static final int COUNTER = 1;
    private static final long PAUSE_NANOS = 50_000_000;

    private static TestCluster cluster;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("meteorshower");
        cluster = TestCluster.start(
                "LaneGroups",
                folder,
                ClusterOptions.builder()
                        .delaysMillis(List.of(10.0))
                        .jitterMillis(0)
                        .heapMegabytes(320)
                        .pluginOptions(Map.of("transactions.changes_disk_mb", "64")));
        cluster.createKeyspace();
        cluster.changeSchema(
                "CREATE KEYSPACE near WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1, 'us': 1}");
        cluster.changeSchema("CREATE KEYSPACE home WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1}");
        for (String keyspace : GROUPS.keySet()) {
            cluster.changeSchema("CREATE TABLE " + keyspace + ".accounts (id int PRIMARY KEY, v int)");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
            Files.delete(folder);
        }
    }

    private static void put(String dc, String keyspace, int id, int value) throws InterruptedException {
        Waiting.until(SOON, () -> cluster.cql(dc)
                .execute("INSERT INTO " + keyspace + ".accounts (id, v) VALUES (" + id + ", " + value + ")"));
    }

    private static int get(String dc, String keyspace, int id) {
        Row row = cluster.cql(dc)
                .execute("BEGIN TRANSACTION SELECT v FROM " + keyspace + ".accounts WHERE id = " + id
                        + "; COMMIT TRANSACTION")
                .one();
        return row == null ? 0 : row.getInt("v");
    }

    @Test
    @Order(1)
    void aTableIsOfTheDataCentresThatHaveIt() throws Exception {
        for (String keyspace : GROUPS.keySet()) {
            EnabledTable.enable(cluster.cql("eu"), keyspace, "accounts");
        }
        int value = 0;
        for (String keyspace : GROUPS.keySet()) {
            for (String dc : cluster.dcs()) {
                put(dc, keyspace, COUNTER, ++value);
                for (String reader : cluster.dcs()) {
                    int expected = value;
                    Waiting.until(SOON, () -> assertThat(get(reader, keyspace, COUNTER))
                            .isEqualTo(expected));
                }
            }
            assertThat(cluster.cql("us")
                            .execute("SELECT lane_group FROM meteorshower.tables WHERE keyspace_name = ?", keyspace)
                            .one()
                            .getString(0))
                    .isEqualTo(GROUPS.get(keyspace));
        }
        Set<String> shown = new HashSet<>();
        cluster.cql("eu")
                .execute("SELECT data_centre, lane_group, role FROM meteorshower.transactions")
                .forEach(row -> shown.add(row.getString(0) + " of " + row.getString(1) + " " + row.getString(2)));
        assertThat(shown)
                .contains("eu of eu,us,asia representative", "eu of eu,us representative", "eu of eu representative")
                .contains("us of eu,us null")
                .hasSize(6);
    }

    @Test
    @Order(2)
    void whatCannotBeIsRefusedWithTheReason() {
        CqlSession asia = cluster.cql("asia");
        assertThatThrownBy(() -> asia.execute("BEGIN TRANSACTION UPDATE near.accounts SET v += 1 WHERE id = 1;"
                        + " UPDATE faults.accounts SET v += 1 WHERE id = 1; COMMIT TRANSACTION"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("in the transactions of eu,us,")
                .hasMessageContaining("in those of eu,us,asia");
        assertThatThrownBy(() -> asia.execute(
                        SimpleStatement.newInstance("TRUNCATE near.accounts").setTimeout(SOON)))
                .hasMessageContaining("are not in this data centre");
        assertThatThrownBy(() -> cluster.changeSchema(
                        "ALTER KEYSPACE near WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1}"))
                .hasMessageContaining("has no replica in us");
    }

    @Test
    @Order(3)
    void aClientHasASessionAndAPlaceInEachOrder() {
        MeteorShowerSession alice = MeteorShowerSession.over(cluster.cql("asia"));
        MeteorShowerTransactions hers = MeteorShowerTransactions.over(alice);
        MeteorShowerSession bob = MeteorShowerSession.over(cluster.cql("us"));
        MeteorShowerTransactions his = MeteorShowerTransactions.over(bob);
        for (int i = 1; i <= 3; i++) {
            for (String keyspace : GROUPS.keySet()) {
                assertThat(hers.execute(TransactionStatement.builder()
                                        .change(Change.insertInto(keyspace + ".accounts")
                                                .value("id", 2)
                                                .value("v", i))
                                        .build())
                                .applied())
                        .isTrue();
            }
            bob.observe(SessionToken.parseText(alice.token().toText()));
            for (String keyspace : GROUPS.keySet()) {
                assertThat(his.snapshot(TransactionStatement.builder()
                                        .returning(select("v")
                                                .from(keyspace + ".accounts")
                                                .where("id", 2))
                                        .build())
                                .one()
                                .orElseThrow()
                                .getInt("v"))
                        .as("%s %d", keyspace, i)
                        .isEqualTo(i);
            }
        }
    }

    /** One of a row's increments, as its client saw it. */
    private record Increment(String keyspace, int before, long begunNanos, long endedNanos) {}

    /**
     * Clients of all data centres increment a row of each group in turn, while nodes die and come back. Together they
     * are strictly serializable: in each order nothing happens twice or is lost, and what begins after something was
     * acknowledged, in whichever group, comes after it.
     */
    @LongTest
    @Test
    @Order(4)
    void eachGroupKeepsItsOrderAndGoesOnWithoutTheOthers() throws Exception {
        for (String keyspace : GROUPS.keySet()) {
            put("eu", keyspace, COUNTER, 0);
        }
        List<Increment> seen = Collections.synchronizedList(new ArrayList<>());
        Map<String, AtomicInteger> unknown = new TreeMap<>();
        GROUPS.keySet().forEach(keyspace -> unknown.put(keyspace, new AtomicInteger()));
        AtomicBoolean ended = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        for (String dc : cluster.dcs()) {
            for (String keyspace : GROUPS.keySet()) {
                Thread client = new Thread(() -> {
                    while (!ended.get()) {
                        increment(dc, keyspace, seen, unknown.get(keyspace));
                    }
                });
                client.start();
                clients.add(client);
            }
        }
        try {
            grow(seen, Set.of(FAR, NEAR, HOME));
            cluster.nodes().kill("asia-1");
            grow(seen, Set.of(FAR, NEAR, HOME));
            cluster.nodes().kill("us-1");
            grow(seen, Set.of(HOME)); // of the others no majority lives
            cluster.restart(List.of("asia-1", "us-1"));
            grow(seen, Set.of(FAR, NEAR, HOME));
        } finally {
            ended.set(true);
            for (Thread client : clients) {
                client.join();
            }
        }
        for (String keyspace : GROUPS.keySet()) {
            List<Increment> own =
                    seen.stream().filter(each -> each.keyspace.equals(keyspace)).toList();
            System.out.println("lane groups: " + keyspace + ": " + own.size() + " acknowledged, "
                    + unknown.get(keyspace) + " unknown");
            assertInOrder(own);
            for (String dc : cluster.dcs()) {
                Waiting.until(SOON, () -> assertThat(get(dc, keyspace, COUNTER))
                        .isBetween(
                                own.size(), own.size() + unknown.get(keyspace).get()));
            }
        }
    }

    private static void grow(List<Increment> seen, Set<String> keyspaces) throws InterruptedException {
        Map<String, Long> before = counts(seen);
        for (String keyspace : keyspaces) {
            Waiting.until(SOON, () -> assertThat(counts(seen).getOrDefault(keyspace, 0L))
                    .as(keyspace)
                    .isGreaterThan(before.getOrDefault(keyspace, 0L) + 20));
        }
    }

    private static Map<String, Long> counts(List<Increment> seen) {
        Map<String, Long> counts = new TreeMap<>();
        synchronized (seen) {
            seen.forEach(each -> counts.merge(each.keyspace, 1L, Long::sum));
        }
        return counts;
    }

    private static void increment(String dc, String keyspace, List<Increment> seen, AtomicInteger unknown) {
        long begun = System.nanoTime();
        try {
            Row row = cluster.cql(dc)
                    .execute("BEGIN TRANSACTION LET r = (SELECT v FROM " + keyspace + ".accounts WHERE id = 1);"
                            + " SELECT r.v; UPDATE " + keyspace + ".accounts SET v += 1 WHERE id = 1;"
                            + " COMMIT TRANSACTION")
                    .one();
            seen.add(new Increment(keyspace, row.getInt(0), begun, System.nanoTime()));
        } catch (DriverException e) {
            if (!(e instanceof NoNodeAvailableException)
                    && !String.valueOf(e.getMessage()).contains("was not carried out")) {
                unknown.incrementAndGet();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Each saw another value, and a greater one than all that were acknowledged before it began. */
    private static void assertInOrder(List<Increment> increments) {
        Set<Integer> before = new HashSet<>();
        increments.forEach(
                each -> assertThat(before.add(each.before)).as("%s", each).isTrue());
        for (Increment first : increments) {
            for (Increment second : increments) {
                if (first.endedNanos < second.begunNanos) {
                    assertThat(first.before).as("%s, then %s", first, second).isLessThan(second.before);
                }
            }
        }
    }
}
