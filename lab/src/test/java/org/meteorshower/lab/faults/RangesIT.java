/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.transactions.EnabledTable;
import org.meteorshower.transactions.log.Formats;

/**
 * Transactions with ranges of a partition, keys that are computed, and values that end, on three real nodes in three
 * data centres. They are nodes of their own: once a range was asked for, none of them may run an earlier plugin, as one
 * of {@link TransactionsIT} does. Each test goes on from the last.
 */
@LongTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RangesIT {
    private static final Duration SOON = Duration.ofSeconds(90);

    private static final String BEGIN = "BEGIN TRANSACTION ";
    private static final String COMMIT = " COMMIT TRANSACTION";

    /** The format of all that this release knows. */
    private static final int NEWEST = Formats.ALL.newest();

    /** More rows than a range may have. */
    private static final int MANY = 520;

    private static TestCluster cluster;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("meteorshower");
        cluster = TestCluster.start("Ranges", folder, ClusterOptions.builder().delaysMillis(List.of(5.0)));
        cluster.createKeyspace();
        cluster.create(
                "parts",
                "k int, a text, b int, s int static, v int, PRIMARY KEY (k, a, b)",
                "CLUSTERING ORDER BY (a ASC, b DESC)");
        Jobs.create(cluster, JobClients.QUEUES);
        NewOrders.create(cluster);
        Leases.create(cluster);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
            Files.delete(folder);
        }
    }

    @Test
    @Order(1)
    void theFirstRangeTakesAllDataCentresToTheFormatThatHasThem() throws Exception {
        rowsBefore();
        for (String table : List.of("parts", "jobs", "job_counts", "districts", "orders", "lines", "leases", "carts")) {
            EnabledTable.enable(cluster.cql("eu"), "faults", table);
        }
        cluster.awaitLetIn("parts"); // which holds data
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> cluster.cql(dc).execute("INSERT INTO faults.parts (k, a, b) VALUES (8, 'x', 1)"));
            Waiting.until(SOON, () -> assertThat(formats(dc)).containsOnly(1).hasSize(3));
        }
        long begunNanos = System.nanoTime();
        Waiting.until(SOON, () -> assertThat(rows("asia", "SELECT a, b FROM faults.parts WHERE k = 8"))
                .containsExactly("x 1"));
        System.out.printf("ranges: the first answer took %.1f s%n", (System.nanoTime() - begunNanos) / 1e9);
        for (String dc : cluster.dcs()) {
            Waiting.until(
                    SOON, () -> assertThat(formats(dc)).containsOnly(NEWEST).hasSize(3));
        }
    }

    /** Cassandra's own, with all that deletes rows there. */
    private static void rowsBefore() {
        for (String text : List.of(
                "INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'm', 1, 11)",
                "INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'm', 2, 12)",
                "INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'o', 1, 21)",
                "INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'o', 2, 22)",
                "INSERT INTO faults.parts (k, a, b) VALUES (1, 'q', 1)",
                "UPDATE faults.parts SET v = 51 WHERE k = 1 AND a = 's' AND b = 1",
                "UPDATE faults.parts SET v = 52 WHERE k = 1 AND a = 's' AND b = 2",
                "UPDATE faults.parts SET v = null WHERE k = 1 AND a = 's' AND b = 2",
                "DELETE FROM faults.parts WHERE k = 1 AND a = 'o' AND b > 1",
                "UPDATE faults.parts SET s = 7 WHERE k = 1",
                "INSERT INTO faults.parts (k, a, b, s, v) VALUES (2, 'gone', 1, 1, 1)",
                "DELETE FROM faults.parts WHERE k = 2",
                "UPDATE faults.parts SET s = 3 WHERE k = 3")) {
            cluster.cql("eu").execute(SimpleStatement.newInstance(text).setConsistencyLevel(ConsistencyLevel.ALL));
        }
        for (int from = 0; from < MANY; from += 40) {
            cluster.cql("eu")
                    .execute(SimpleStatement.newInstance(IntStream.range(from, from + 40)
                                    .mapToObj(b ->
                                            "INSERT INTO faults.parts (k, a, b, v) VALUES (9, 'all', " + b + ", 0);")
                                    .collect(Collectors.joining(" ", "BEGIN UNLOGGED BATCH ", " APPLY BATCH")))
                            .setConsistencyLevel(ConsistencyLevel.ALL));
        }
    }

    /** What a data centre's node knows of all. */
    private static List<Object> formats(String dc) {
        return cluster.cql(dc).execute("SELECT format FROM meteorshower.transactions").all().stream()
                .map(row -> row.getObject("format"))
                .toList();
    }

    @Test
    @Order(2)
    void rangesAreTheSameInAllDataCentres() {
        cluster.cql("us").execute("INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'm', 3, 13)");
        cluster.cql("eu").execute("INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'a', 1, 1)");
        cluster.cql("asia").execute("INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'o', 2, 23)");
        cluster.cql("eu").execute("DELETE FROM faults.parts WHERE k = 1 AND a = 'm' AND b = 1");

        everywhere("WHERE k = 1", "a 1 1", "m 3 13", "m 2 12", "o 2 23", "o 1 21", "q 1 null", "s 1 51");
        everywhere("WHERE k = 1 AND a = 'm'", "m 3 13", "m 2 12");
        everywhere("WHERE k = 1 AND a = 'o' AND b < 2", "o 1 21");
        everywhere("WHERE k = 1 AND a > 'a' AND a <= 'o'", "m 3 13", "m 2 12", "o 2 23", "o 1 21");
        everywhere("WHERE k = 1 AND a < 'o' ORDER BY a DESC, b ASC", "m 2 12", "m 3 13", "a 1 1");
        everywhere("WHERE k = 1 ORDER BY a DESC LIMIT 2", "s 1 51", "q 1 null");
        everywhere("WHERE k = 1 AND a > 'm' LIMIT 2", "o 2 23", "o 1 21");
        everywhere("WHERE k = 1 AND a > 'x'");
        everywhere("WHERE k = 2");
        for (String dc : cluster.dcs()) {
            assertThat(rows(dc, "SELECT a, s FROM faults.parts WHERE k = 1 AND a = 'q'"))
                    .containsExactly("q 7");
            assertThat(rows(dc, "SELECT k, a, s FROM faults.parts WHERE k = 3")).containsExactly("3 null 3");
            assertThat(rows(dc, "SELECT a, b FROM faults.parts WHERE k = ? AND a >= ? LIMIT ?", 1, "n", 3))
                    .containsExactly("o 2", "o 1", "q 1");
        }
    }

    /** As one statement and as a transaction, at each data centre. */
    private static void everywhere(String where, String... rows) {
        String select = "SELECT a, b, v FROM faults.parts " + where;
        for (String dc : cluster.dcs()) {
            assertThat(rows(dc, select)).as("%s at %s", select, dc).containsExactly(rows);
            assertThat(rows(dc, BEGIN + select + ";" + COMMIT))
                    .as("%s in a transaction at %s", select, dc)
                    .containsExactly(rows);
        }
    }

    private static List<String> rows(String dc, String text, Object... values) {
        CqlSession session = cluster.cql(dc);
        return told(session.execute(session.prepare(text).bind(values).setConsistencyLevel(ConsistencyLevel.QUORUM)));
    }

    private static List<String> told(ResultSet rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(RangesIT::told)
                .toList();
    }

    private static String told(Row row) {
        return IntStream.range(0, row.size())
                .mapToObj(i -> String.valueOf(row.getObject(i)))
                .collect(Collectors.joining(" "));
    }

    @Test
    @Order(3)
    void theFirstRowIsBoundAndRangesAreDeleted() throws Exception {
        String next = BEGIN + "LET r = (SELECT a, b, v FROM faults.parts WHERE k = 1 AND a > ? LIMIT 1);"
                + " SELECT r.a, r.v; IF r IS NOT NULL THEN"
                + " UPDATE faults.parts SET v = r.v + 100 WHERE k = 1 AND a = 'z' AND b = 1; END IF" + COMMIT;
        assertThat(rows("us", next, "a")).containsExactly("m 13");
        everywhere("WHERE k = 1 AND a = 'z'", "z 1 113");
        assertThat(rows("asia", next, "o")).containsExactly("q null");
        everywhere("WHERE k = 1 AND a = 'z'");
        assertThat(rows("eu", next, "z")).containsExactly("null null");

        cluster.cql("asia").execute("DELETE FROM faults.parts WHERE k = 1 AND a = 'm' AND b >= 3");
        cluster.cql("us").execute("DELETE FROM faults.parts WHERE k = 1 AND a > 'o'");
        everywhere("WHERE k = 1", "a 1 1", "m 2 12", "o 2 23", "o 1 21");
        assertThat(rows(
                        "us",
                        BEGIN + "DELETE FROM faults.parts WHERE k = 1 AND a = 'o';"
                                + " INSERT INTO faults.parts (k, a, b) VALUES (1, 'o', 9);"
                                + " SELECT a, b, s FROM faults.parts WHERE k = 1;" + COMMIT))
                .containsExactly("a 1 7", "m 2 7", "o 9 7");
        cluster.cql("eu").execute("DELETE FROM faults.parts WHERE k = 1");
        everywhere("WHERE k = 1");
        for (String dc : cluster.dcs()) {
            assertThat(rows(dc, "SELECT s FROM faults.parts WHERE k = 1")).isEmpty();
        }
        cluster.cql("us").execute("INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'm', 2, 99)");
        cluster.cql("us").execute("INSERT INTO faults.parts (k, a, b, v) VALUES (1, 'b', 1, 98)");
        everywhere("WHERE k = 1", "b 1 98", "m 2 99");
    }

    @Test
    @Order(4)
    void moreRowsThanARangeMayHaveAreTakenInParts() throws Exception {
        String whole = BEGIN + "SELECT b FROM faults.parts WHERE k = 9;" + COMMIT;
        assertThatThrownBy(() -> rows("us", whole))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("more than 500 rows");
        assertThatThrownBy(() -> rows("us", BEGIN + "SELECT b FROM faults.parts WHERE k = 9 LIMIT 501;" + COMMIT))
                .hasMessageContaining("at most 500 rows");
        List<String> all = IntStream.iterate(MANY - 1, b -> b >= 0, b -> b - 1)
                .mapToObj(Integer::toString)
                .toList();
        for (String dc : cluster.dcs()) {
            List<String> paged = new ArrayList<>(rows(dc, "SELECT b FROM faults.parts WHERE k = 9 LIMIT 500"));
            paged.addAll(rows(
                    dc,
                    "SELECT b FROM faults.parts WHERE k = 9 AND a = 'all' AND b < ? LIMIT 500",
                    Integer.parseInt(paged.get(499))));
            assertThat(paged).isEqualTo(all);
            assertThat(rows(dc, "SELECT b FROM faults.parts WHERE k = 9")).isEqualTo(all);
            assertThat(rows(dc, "SELECT b FROM faults.parts WHERE k = 9 LIMIT 501"))
                    .isEqualTo(all.subList(0, 501));
            ResultSet pages = cluster.cql(dc)
                    .execute(quorum("SELECT b FROM faults.parts WHERE k = 9 AND a = 'all' AND b < 500")
                            .setPageSize(70));
            assertThat(pages.getAvailableWithoutFetching()).isEqualTo(70);
            assertThat(told(pages)).isEqualTo(all.subList(20, MANY));
            Waiting.until(SOON, () -> assertThat(told(cluster.cql(dc)
                            .execute(SimpleStatement.newInstance("SELECT b FROM faults.parts WHERE k = 9")
                                    .setPageSize(7))))
                    .as("Cassandra's own rows at LOCAL_ONE, in pages")
                    .isEqualTo(all));
        }
        cluster.cql("asia").execute("DELETE FROM faults.parts WHERE k = 9 AND a = 'all' AND b < 500");
        everywhere("WHERE k = 9 AND a = 'all' AND b < 502", "all 501 0", "all 500 0");
        cassandraHasTheSame();
    }

    /** Clients of all data centres at once: each order has the next number of its district, and its lines. */
    @Test
    @Order(5)
    void ordersTakeTheirNumbersFromTheirDistricts() throws Exception {
        NewOrders.placedAndRight(cluster, 6, 8);
    }

    /** Waits until all data centres know; the insert is done in each. */
    private static void letTakePart(String table, String insert) {
        EnabledTable.enable(cluster.cql("eu"), "faults", table);
        for (String dc : cluster.dcs()) {
            EnabledTable.eventually(table, () -> cluster.cql(dc).execute(BEGIN + insert + ";" + COMMIT));
        }
    }

    /** What was acknowledged in one data centre, a scan in another one sees at once, in each row. */
    @Test
    @Order(6)
    void aScanSeesAllThatWasAcknowledgedBeforeItAnywhere() throws Exception {
        cluster.create("scanned", "k int PRIMARY KEY, v int");
        letTakePart("scanned", "INSERT INTO faults.scanned (k, v) VALUES (0, 0)");
        List<Long> took = new ArrayList<>();
        for (int round = 1; round <= 20; round++) {
            String writer = cluster.dcs().get(round % 3);
            String reader = cluster.dcs().get((round + 1) % 3);
            String batch = IntStream.range(0, round)
                    .mapToObj(k -> "UPDATE faults.scanned SET v = " + k + " WHERE k = " + k + ";")
                    .collect(Collectors.joining(" ", BEGIN, COMMIT));
            cluster.cql(writer).execute(batch.replace("v = ", "v = " + round));
            cluster.cql(writer).execute("DELETE FROM faults.scanned WHERE k = " + (round - 1));
            long begunNanos = System.nanoTime();
            List<String> seen = rows(reader, "SELECT k, v FROM faults.scanned");
            took.add((System.nanoTime() - begunNanos) / 1_000_000);
            int now = round;
            assertThat(seen)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, round - 1)
                            .mapToObj(k -> k + " " + now + k)
                            .toList());
            assertThat(rows(reader, "SELECT count(*) FROM faults.scanned")).containsExactly("" + (round - 1));
            assertThat(rows(reader, "SELECT k FROM faults.scanned WHERE v = " + round + "0 ALLOW FILTERING"))
                    .hasSize(round == 1 ? 0 : 1);
        }
        System.out.println("ranges: scans took ms " + took);
    }

    @Test
    @Order(7)
    void truncatingDeletesAllThatWasAcknowledgedBefore() throws Exception {
        cluster.create("emptied", "k int, c int, s int static, v int, PRIMARY KEY (k, c)");
        letTakePart("emptied", "INSERT INTO faults.emptied (k, c, v) VALUES (0, 0, 0)");
        for (int k = 1; k <= 3; k++) {
            for (int from = 0; from < MANY; from += 130) {
                int partition = k;
                cluster.cql("us")
                        .execute(IntStream.range(from, from + 130)
                                .mapToObj(c -> "UPDATE faults.emptied SET v = 1 WHERE k = " + partition + " AND c = "
                                        + c + ";")
                                .collect(Collectors.joining(" ", BEGIN, COMMIT)));
            }
        }
        cluster.cql("us").execute("UPDATE faults.emptied SET s = 1 WHERE k = 4");
        assertThat(rows("asia", "SELECT count(*) FROM faults.emptied")).containsExactly("" + (3 * MANY + 2));
        cluster.cql("eu").execute("DELETE FROM faults.emptied WHERE k = 3");
        assertThat(rows("us", "SELECT count(*) FROM faults.emptied"))
                .as("more may be deleted at once than read")
                .containsExactly("" + (2 * MANY + 2));
        long begunNanos = System.nanoTime();
        cluster.cql("eu")
                .execute(SimpleStatement.newInstance("TRUNCATE faults.emptied").setTimeout(SOON));
        System.out.printf("ranges: to truncate took %.1f s%n", (System.nanoTime() - begunNanos) / 1e9);
        assertThat(rows("asia", "SELECT k FROM faults.emptied")).isEmpty();
        assertThat(rows("us", "SELECT DISTINCT k, s FROM faults.emptied")).isEmpty();
        assertThat(rows("us", "SELECT c FROM faults.emptied WHERE k = 1")).isEmpty();
        cluster.cql("us").execute("INSERT INTO faults.emptied (k, c, v) VALUES (1, 1, 1)");
        assertThat(rows("eu", "SELECT k, c, s, v FROM faults.emptied")).containsExactly("1 1 null 1");
    }

    @Test
    @Order(8)
    void valuesEndInTheOrder() throws Exception {
        Leases leases = new Leases(cluster);
        leases.endForAll();
        leases.areHeldByOneAtATime(4);
    }

    /** As any client without transactions sees it, after a while. */
    private static void cassandraHasTheSame() throws InterruptedException {
        List<String> strict = new ArrayList<>();
        for (int k : List.of(1, 2, 3, 8, 9)) {
            strict.addAll(rows("us", "SELECT k, a, b, s, v FROM faults.parts WHERE k = " + k));
        }
        assertThat(strict).hasSize(24);
        for (String dc : cluster.dcs()) {
            Waiting.until(
                    SOON, () -> assertThat(told(cluster.cql(dc).execute("SELECT k, a, b, s, v FROM faults.parts")))
                            .containsExactlyInAnyOrderElementsOf(strict));
        }
    }

    private static SimpleStatement quorum(String text) {
        return SimpleStatement.newInstance(text).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    @Test
    @Order(9)
    void noRowComesOrGoesBesideARangeThoughADataCentreIsKilled() throws Exception {
        try (JobClients clients = new JobClients(cluster)) {
            clients.begin();
            List<LongSupplier> kinds = new ArrayList<>();
            for (String kind : List.of("put", "taken first", "taken by name", "moved", "read at eu", "read at us")) {
                kinds.add(clients.done(kind));
            }
            Waiting.untilGrown(SOON, 4, kinds);
            Waiting.untilGrown(SOON, 5, List.of(clients.done("read at asia")));
            cluster.nodes().kill("asia-1");
            Waiting.untilGrown(SOON, 4, kinds);
            cluster.restart("asia-1");
            Waiting.untilGrown(SOON, 5, List.of(clients.done("read at asia")));
            Waiting.untilGrown(SOON, 4, kinds);
            clients.stop();
        }
        dataCentresAreAlike();
    }

    private static void dataCentresAreAlike() throws InterruptedException {
        Waiting.until(SOON, () -> {
            List<String> states = new ArrayList<>();
            for (String dc : cluster.dcs()) {
                states.add(told(cluster.cql(dc)
                                .execute("SELECT executed, digest, waiting, whole FROM meteorshower.transactions"
                                        + " WHERE data_centre = '" + dc + "'"))
                        .get(0));
            }
            assertThat(states).containsOnly(states.get(0));
        });
    }

    @Test
    @Order(10)
    void afterARestartRangesAreAnsweredThoughADataCentreStaysAway() throws Exception {
        List<String> before = rows("eu", "SELECT name, part, n FROM faults.jobs WHERE queue = 0");
        List<String> nodes = cluster.dcs().stream().map(dc -> dc + "-1").toList();
        nodes.forEach(cluster.nodes()::kill);
        cluster.restart(List.of("eu-1", "us-1"));
        for (String dc : List.of("eu", "us")) {
            Waiting.until(SOON, () -> assertThat(rows(dc, "SELECT name, part, n FROM faults.jobs WHERE queue = 0"))
                    .isEqualTo(before));
        }
        cluster.cql("us").execute("DELETE FROM faults.parts WHERE k = 9 AND a = 'all' AND b >= 510");
        cluster.restart("asia-1");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(rows(dc, "SELECT b FROM faults.parts WHERE k = 9"))
                    .hasSize(10));
            Waiting.until(
                    SOON, () -> assertThat(formats(dc)).containsOnly(NEWEST).hasSize(3));
        }
        dataCentresAreAlike();
    }
}
