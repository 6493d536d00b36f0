/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.client.changes.ChangedTransaction;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.transactions.log.Formats;

/**
 * Transactions on three real nodes in three data centres, 20 ms one way from each other. Each test goes on from the
 * last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TransactionsIT {
    private static final Duration SOON = Duration.ofSeconds(90);

    /** Each goes on in another data centre where the last one has ended. */
    private static final int READERS = 300;

    /** What is stored in the layout and the format of this release is marked so. */
    private static final int LAYOUT_2_FORMAT_1 = 2_001;

    /** Of what transactions are written in. */
    private static final int NEWEST = Formats.ALL.newest();

    private static final String ADD = "UPDATE meteorshower.transactions_probe SET added = 1 WHERE name = 'it'";

    private static TestCluster cluster;
    private static Path folder;
    private static final AtomicInteger acknowledged = new AtomicInteger();
    private static final AtomicInteger unknown = new AtomicInteger();

    /** What the nodes have logged since one of them ran an earlier version. */
    private static List<NodeLog> nonsense = List.of();

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("meteorshower");
        cluster = TestCluster.start(
                "Transactions",
                folder,
                ClusterOptions.builder()
                        .delaysMillis(List.of(20.0))
                        .jitterMillis(0)
                        .pluginOptions(Map.of("transactions.changes_disk_mb", "64")));
        cluster.createKeyspace();
        cluster.create("accounts", "id int PRIMARY KEY, v int");
        cluster.create("plain", "id int PRIMARY KEY");
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
    void transactionsCommitInAllDataCentresOnceATableTakesPart() throws Exception {
        cluster.letIn("eu", "accounts");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> add(dc));
        }
        for (String dc : cluster.dcs()) {
            assertThat(value(dc)).isBetween((long) acknowledged.get(), (long) acknowledged.get() + unknown.get());
        }
    }

    @Test
    @Order(2)
    void clientsCanCountOnWhatTheyAreTold() throws Exception {
        Waiting.until(SOON, () -> cluster.cql("asia").execute("DELETE FROM faults.accounts WHERE id = 404"));
        cluster.createEnabled("notes", "id int PRIMARY KEY, v int");
        TransactionClients.transferFromAllDataCentres(cluster);
        TransactionClients.outcomesAreResolved(cluster);
        TransactionClients.interactiveTransactionsLoseNothing(cluster);
        TransactionClients.aTokenCarriesBothOrders(cluster, "faults.notes");
        TransactionClients.plainStatementsAreTransactions(cluster);
        TransactionClients.proceduresAreCalledFromAllDataCentres(cluster);
    }

    /** They stay until all data centres have executed what deleted them, which takes a while. */
    @LongTest
    @Test
    @Order(2)
    void deletedRowsLeaveNoTraceInAnyDataCentre() throws Exception {
        putSixty(id -> "INSERT INTO faults.accounts (id, v) VALUES (" + id + ", 1)");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(stored(dc)).hasSizeGreaterThanOrEqualTo(60));
        }
        putSixty(id -> "DELETE FROM faults.accounts WHERE id = " + id);
        Waiting.until(SOON, () -> cluster.cql("eu").execute("INSERT INTO faults.accounts (id, v) VALUES (5030, 2)"));
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(stored(dc)).hasSizeLessThan(30));
            assertThat(cluster.cql(dc)
                            .execute("SELECT v FROM faults.accounts WHERE id = 5030")
                            .one()
                            .getInt(0))
                    .isEqualTo(2);
        }
    }

    /** A transaction for each of sixty rows, all under way at once; all again where one fails. */
    private static void putSixty(IntFunction<String> statement) throws InterruptedException {
        Waiting.until(SOON, () -> IntStream.range(5_000, 5_060)
                .mapToObj(id ->
                        cluster.cql("eu").executeAsync(statement.apply(id)).toCompletableFuture())
                .toList()
                .forEach(CompletableFuture::join));
    }

    /** Names of the rows that the data centre's own keyspace holds, of users. */
    private static List<String> stored(String dc) {
        String keyspace = "meteorshower_transactions_" + cluster.dcs().indexOf(dc);
        return cluster
                .cql(dc)
                .execute(SimpleStatement.newInstance(
                                "SELECT DISTINCT edition, tbl, key FROM " + keyspace + ".row_versions")
                        .setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
                .all()
                .stream()
                .filter(row -> !row.getString("tbl").startsWith("$"))
                .map(row -> row.getString("tbl") + "/" + row.getString("key"))
                .toList();
    }

    @LongTest
    @Test
    @Order(3)
    void aTableIsLetInWhileClientsWriteToIt() throws Exception {
        try (LetInClients clients = new LetInClients(cluster)) {
            clients.leaveBehind("asia-1");
            clients.letIn("us");
            clients.check();
        }
    }

    @Test
    @Order(3)
    void aCommitTakesARoundTripAtLeast() {
        for (String dc : cluster.dcs()) {
            List<Long> micros = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                long begunNanos = System.nanoTime();
                // What fails may do so at once.
                if (tryToAdd(dc)) {
                    micros.add((System.nanoTime() - begunNanos) / 1_000);
                }
            }
            assertThat(micros).as("µs of commits at %s", dc).hasSizeGreaterThan(5);
            Collections.sort(micros);
            int count = micros.size();
            System.out.printf(
                    "transactions: commits at %s, 20 ms one way, one client: p50 %.1f ms, p90 %.1f ms, max %.1f ms%n",
                    dc, micros.get(count / 2) / 1e3, micros.get(count * 9 / 10) / 1e3, micros.get(count - 1) / 1e3);
            // Never less than a round trip; how much more is a matter of the machine, and of who else uses it.
            assertThat(micros.get(0)).isGreaterThan(40_000L);
        }
    }

    @Test
    @Order(4)
    void afterKillMinusNineOfOneDataCentreNothingAcknowledgedIsLostNorDoneTwice() throws Exception {
        PreparedStatement prepared = cluster.cql("asia").prepare(Counting.adding(Counting.NUMBERED + 2));
        try (Counting counting = new Counting()) {
            counting.begin(cluster);
            killOneWhileOthersAdd(counting);
            assertThat(TransactionClients.valueOf(cluster, "us", Counting.NUMBERED))
                    .isBetween(counting.committed(), counting.committed() + counting.unknown());
            assertThat(TransactionClients.valueOf(cluster, "us", Counting.UNNUMBERED))
                    .as("what is repeated without a number is done twice now and then, so that the test above can fail")
                    .isGreaterThan(counting.unnumbered());
        }
        // The node has forgotten it; the driver prepares it again.
        Waiting.until(SOON, () -> cluster.cql("asia").execute(prepared.bind()));
    }

    private static void killOneWhileOthersAdd(Counting counting) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        for (String dc : List.of("eu", "us")) {
            Thread client = new Thread(() -> {
                while (!ended.get()) {
                    var unused = tryToAdd(dc);
                }
            });
            client.start();
            clients.add(client);
        }
        try {
            Waiting.untilGrown(SOON, 20, List.of(acknowledged::get, counting::committed, counting::unnumbered));
            cluster.nodes().kill("asia-1");
            Waiting.untilGrown(SOON, 40, List.of(acknowledged::get, counting::committed, counting::unnumbered));
            // By more than can be under way: something has been done twice.
            Waiting.until(SOON, () -> assertThat(TransactionClients.valueOf(cluster, "us", Counting.UNNUMBERED))
                    .isGreaterThan(counting.unnumbered() + cluster.dcs().size()));
            counting.stop();
            cluster.restart("asia-1");
        } finally {
            ended.set(true);
        }
        for (Thread client : clients) {
            client.join();
        }
        System.out.println("transactions: " + acknowledged + " acknowledged, " + unknown + " unknown");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> add(dc));
            assertThat(value(dc)).isBetween((long) acknowledged.get(), (long) acknowledged.get() + unknown.get());
        }
    }

    @LongTest
    @Test
    @Order(5)
    void allNodesMayDieAtOnceAndNothingAcknowledgedIsLost() throws Exception {
        List<String> nodes = cluster.dcs().stream().map(dc -> dc + "-1").toList();
        nodes.forEach(cluster.nodes()::kill);
        cluster.restart(nodes);
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> add(dc));
            assertThat(value(dc)).isBetween((long) acknowledged.get(), (long) acknowledged.get() + unknown.get());
        }
    }

    /** After all that has happened to them. */
    @Test
    @Order(5)
    void theChangeStreamIsTheSameInAllDataCentresAndMakesTheTable() throws Exception {
        Waiting.until(SOON, () -> cluster.cql("eu").execute("UPDATE faults.accounts SET v = 77 WHERE id = 7"));
        ChangePosition end = ChangeStream.at(cluster.cql("eu")).end().next();
        Map<String, List<ChangedTransaction>> told = new TreeMap<>();
        for (String dc : cluster.dcs()) {
            ChangeStream stream = ChangeStream.at(cluster.cql(dc), dc);
            Waiting.until(SOON, () -> assertThat(stream.end()).isGreaterThan(end));
            told.put(dc, Changes.from(stream, stream.oldest()));
        }
        List<ChangedTransaction> all = told.get("eu");
        for (List<ChangedTransaction> each : told.values()) {
            assertThat(Changes.both(each, all)).isNotEmpty().isEqualTo(Changes.both(all, each));
        }
        List<ChangeStream> streams = cluster.dcs().stream()
                .map(dc -> ChangeStream.at(cluster.cql(dc), dc))
                .toList();
        ChangePosition first = Collections.max(
                told.values().stream().map(each -> each.get(0).at()).toList());
        List<ChangedTransaction> moved = Changes.byReadersThatMove(streams, first, READERS);
        assertThat(moved)
                .hasSizeGreaterThan(100)
                .isEqualTo(all.stream()
                        .filter(each -> each.at().compareTo(first) >= 0)
                        .limit(moved.size())
                        .toList());
        assertThat(Changes.rows(all, "faults.accounts"))
                .containsEntry("{\"id\":7}", "{\"v\":77}")
                .isEqualTo(Changes.table(cluster.cql("eu"), "faults.accounts"));
    }

    /** In a rolling upgrade each understands each, before, meanwhile and after. */
    @LongTest
    @Test
    @Order(6)
    void aNodeOfAnEarlierVersionTakesPartAndNobodyHearsNonsense() throws Exception {
        nonsense = new ArrayList<>();
        for (String dc : cluster.dcs()) {
            nonsense.add(NodeLog.fromNowOn(cluster, dc + "-1"));
        }
        cluster.nodes()
                .restart(
                        "asia-1",
                        Map.of("transport.newest_version", "2"),
                        TestCluster.START_LIMIT,
                        System.out::println);
        everyDataCentreCommitsAndReads();
        for (String dc : List.of("eu", "us")) {
            Waiting.until(SOON, () -> assertThat(formatOf(dc, "asia")).isEqualTo("1 to 1, 1, null"));
        }
        nobodyHasHeardNonsense();
    }

    private static void nobodyHasHeardNonsense() throws Exception {
        for (NodeLog log : nonsense) {
            log.assertNoWarning("what makes no sense", "bytes that make no sense", "nothing is exchanged");
        }
    }

    /**
     * As after going back to an older plugin: its data centre waits for the newer one, and the others go on. The node
     * comes back from the earlier version of the messages at the same time.
     */
    @LongTest
    @Test
    @Order(7)
    void whatANewerPluginHasStoredIsLeftAlone() throws Exception {
        CqlSession asia = cluster.cql("asia");
        Waiting.until(SOON, () -> assertThat(asia.execute("SELECT format FROM meteorshower_transactions_2.formats")
                        .one()
                        .getInt("format"))
                .isEqualTo(LAYOUT_2_FORMAT_1));
        asia.execute("INSERT INTO meteorshower_transactions_2.formats (part, format) VALUES (0, 9)");
        NodeLog log = NodeLog.fromNowOn(cluster, "asia-1");
        cluster.restart("asia-1");
        log.awaitWarning("does not run its data centre's process", "format 9", "knows formats 1 to " + NEWEST);
        Waiting.until(SOON, () -> assertThat(formatOf("asia", "asia")).contains("is in format 9"));
        for (String dc : List.of("eu", "us")) {
            Waiting.until(SOON, () -> add(dc));
        }
        try (CqlSession patient = cluster.connector("asia", SOON).build()) {
            assertThatThrownBy(() -> patient.execute(ADD)).hasMessageContaining("format 9");
        }
        asia.execute("INSERT INTO faults.plain (id) VALUES (1)");
        assertThat(asia.execute("SELECT * FROM faults.plain").all()).hasSize(1);

        // Before long: the node looks again after twice as long each time.
        asia.execute(
                "INSERT INTO meteorshower_transactions_2.formats (part, format) VALUES (0, " + LAYOUT_2_FORMAT_1 + ")");
        everyDataCentreCommitsAndReads();
        assertThat(formatOf("asia", "asia")).isEqualTo("1 to " + NEWEST + ", 1, null");
        nobodyHasHeardNonsense();
    }

    private static void everyDataCentreCommitsAndReads() throws InterruptedException {
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> add(dc));
        }
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(value(dc))
                    .isBetween((long) acknowledged.get(), (long) acknowledged.get() + unknown.get()));
        }
    }

    /** What one data centre's node says of another's process. */
    private static String formatOf(String asked, String dc) {
        Row row = cluster.cql(asked)
                .execute("SELECT formats, format, trouble FROM meteorshower.transactions WHERE data_centre = '" + dc
                        + "'")
                .one();
        return row.getString("formats") + ", " + row.getObject("format") + ", " + row.getString("trouble");
    }

    @Test
    @Order(8)
    void idleDataCentresAreInTheSameStateAndWriteNothing() throws Exception {
        Waiting.until(SOON, () -> {
            Row first = own("eu");
            for (String dc : cluster.dcs()) {
                Row row = own(dc);
                assertThat(row.getLong("executed")).isEqualTo(first.getLong("executed"));
                assertThat(row.getString("digest")).isEqualTo(first.getString("digest"));
            }
        });
        // How long they take until they are at rest is a matter of the machine.
        Waiting.until(SOON, () -> {
            long before = own("eu").getLong("persists");
            Thread.sleep(3_000);
            assertThat(own("eu").getLong("persists") - before).isLessThan(3);
        });
        Row row = own("eu");
        System.out.println("transactions: a batch of records took " + row.getLong("persist_micros") + " us on average");
    }

    /** The last one: from here on nobody may run an earlier version. */
    @Test
    @Order(9)
    void rangesAndScansAreTheSameInAllDataCentres() throws Exception {
        FirstRanges.areTheSameInAllDataCentres(cluster);
    }

    private static Row own(String dc) {
        return cluster.cql(dc)
                .execute("SELECT executed, digest, persists, persist_micros FROM meteorshower.transactions"
                        + " WHERE data_centre = '" + dc + "'")
                .one();
    }

    private static void add(String dc) {
        CqlSession session = cluster.cql(dc);
        try {
            session.execute(ADD);
            acknowledged.incrementAndGet();
        } catch (InvalidQueryException e) {
            if (!String.valueOf(e.getMessage()).contains("Refused")) {
                unknown.incrementAndGet();
            }
            throw e;
        } catch (DriverException e) {
            unknown.incrementAndGet();
            throw e;
        }
    }

    private static boolean tryToAdd(String dc) {
        try {
            add(dc);
            return true;
        } catch (DriverException e) {
            System.out.println("transactions: " + dc + ": " + e.getMessage());
            return false;
        }
    }

    private static long value(String dc) {
        return cluster.cql(dc)
                .execute("SELECT value FROM meteorshower.transactions_probe WHERE name = 'it'")
                .one()
                .getLong("value");
    }
}
