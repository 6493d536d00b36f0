/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.lab.LongTest;

/** Tables are enabled, used in unusual ways, and disabled, while the cluster runs. */
@ExtendWith(ThreeNodes.class)
final class TablesIT {
    /** Cassandra asks for a schema that a node has missed a while later. */
    private static final Duration SCHEMA_CAUGHT_UP = Duration.ofMinutes(3);

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int UNEQUAL = 20;

    private static TestCluster cluster;

    @BeforeAll
    static void cluster() {
        cluster = ThreeNodes.cluster();
    }

    @Test
    void aDisabledTableIsAnOrdinaryTableAndCanBeEnabledAgain() throws Exception {
        cluster.createEnabled("switched", "id int PRIMARY KEY, v int");
        ThreeNodes.assertServing("switched", "eu", "us", "asia");
        assertThat(isServed("eu", "switched")).isTrue();

        cluster.disable("switched");
        for (String dc : cluster.dcs()) {
            Waiting.until(
                    SOON, () -> assertThat(cluster.stateOf(dc, "switched")).isEqualTo("not enabled"));
            // The schema says so a moment before this node has followed it.
            Waiting.until(SOON, () -> assertThat(isServed(dc, "switched")).isFalse());
        }
        // What an enabled table refuses, and what depends on the client's timestamps, is possible again.
        cluster.cql("eu")
                .execute("INSERT INTO faults.switched (id, v) VALUES (1, 7) USING TIMESTAMP 99999999999999999");
        assertThat(cluster.cql("us")
                        .execute(ThreeNodes.quorum("INSERT INTO faults.switched (id, v) VALUES (5, 5) IF NOT EXISTS"))
                        .wasApplied())
                .isTrue();
        SimpleStatement weak = ThreeNodes.quorum("INSERT INTO faults.switched (id, v) VALUES (2, 2)");
        cluster.cql("us").execute(weak.setConsistencyLevel(ConsistencyLevel.ONE));
        for (String dc : cluster.dcs()) {
            Waiting.until(
                    SOON,
                    () -> assertThat(cluster.cql(dc).execute(stored(2)).one()).isNotNull());
        }

        cluster.cql("eu").execute("TRUNCATE faults.switched");
        cluster.enable("switched");
        ThreeNodes.assertServing("switched", "eu", "us", "asia");
    }

    @LongTest
    @Test
    void aNodeThatRestartsWhileATableIsDisabledStillKnowsWhomToWaitFor() throws Exception {
        cluster.createEnabled("halfway", "id int PRIMARY KEY, v int");
        ThreeNodes.assertServing("halfway", "eu", "us", "asia");
        cluster.cql("us").execute(ThreeNodes.quorum("INSERT INTO faults.halfway (id, v) VALUES (1, 7)"));
        String id = cluster.cql("us")
                .execute(
                        "SELECT id FROM system_schema.tables WHERE keyspace_name = 'faults' AND table_name = 'halfway'")
                .one()
                .getUuid(0)
                .toString();
        assertThat(whoRemembers(id)).isEqualTo(3);

        cluster.nodes().pause("us-1");
        cluster.nodes().pause("asia-1");
        try {
            cluster.disable("halfway");
            Waiting.until(
                    SOON, () -> assertThat(cluster.stateOf("eu", "halfway")).isEqualTo("not enabled"));
            cluster.restart("eu-1");
            assertThat(whoRemembers(id)).as("a majority may still serve it").isEqualTo(3);
        } finally {
            cluster.nodes().resume("us-1");
            cluster.nodes().resume("asia-1");
        }
        for (String dc : cluster.dcs()) {
            Waiting.until(SCHEMA_CAUGHT_UP, () -> assertThat(cluster.stateOf(dc, "halfway"))
                    .isEqualTo("not enabled"));
            // Answered once a majority has given the table up: the others may hear of it that late.
            Waiting.until(SCHEMA_CAUGHT_UP, () -> assertThat(cluster.cql(dc)
                            .execute(ThreeNodes.quorum("SELECT v FROM faults.halfway WHERE id = 1"))
                            .one()
                            .getInt(0))
                    .isEqualTo(7));
        }
        Waiting.until(SOON, () -> assertThat(whoRemembers(id)).isZero());
    }

    /** How many nodes remember on disk that they followed the table. */
    private static int whoRemembers(String table) throws IOException {
        int nodes = 0;
        try (Stream<Path> files = Files.walk(cluster.nodes().folder())) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("followed-"))
                    .toList()) {
                nodes += Files.readString(file).startsWith(table) ? 1 : 0;
            }
        }
        return nodes;
    }

    @Test
    void aTableThatHoldsDataIsEnabledWhileReadersAndWritersAreAtWork() throws Exception {
        cluster.create("busy", "dc text PRIMARY KEY, v int");
        Map<String, AtomicInteger> acknowledged = new TreeMap<>();
        Map<String, AtomicInteger> reads = new TreeMap<>();
        Queue<String> refused = new ConcurrentLinkedQueue<>();
        cluster.dcs().forEach(dc -> acknowledged.put(dc, new AtomicInteger()));
        cluster.dcs().forEach(dc -> reads.put(dc, new AtomicInteger()));
        List<LongSupplier> counts = Stream.concat(acknowledged.values().stream(), reads.values().stream())
                .<LongSupplier>map(count -> count::get)
                .toList();
        // Written at ONE while the table is an ordinary one, and asia cut off: the replicas differ.
        cluster.wan().cut("asia", null, false);
        try {
            for (int row = 0; row < UNEQUAL; row++) {
                cluster.cql("eu")
                        .execute(SimpleStatement.newInstance(
                                        "INSERT INTO faults.busy (dc, v) VALUES ('row " + row + "', " + row + ")")
                                .setConsistencyLevel(ConsistencyLevel.ONE));
            }
        } finally {
            cluster.wan().heal();
        }
        try (Busy clients = new Busy()) {
            acknowledged.forEach((dc, newest) -> {
                AtomicInteger tried = new AtomicInteger();
                clients.begin(() -> {
                    int value = tried.incrementAndGet();
                    try {
                        cluster.cql(dc)
                                .execute(ThreeNodes.quorum(
                                        "INSERT INTO faults.busy (dc, v) VALUES ('" + dc + "', " + value + ")"));
                        newest.set(value);
                    } catch (WriteTimeoutException | AllNodesFailedException | DriverTimeoutException e) {
                        // What is under way when nodes enable the table, one a little before the other, may be unknown,
                        // and a node that has not caught up with the others yet refuses it.
                        System.out.println("busy: a write of " + dc + ": " + e);
                    }
                });
            });
            reads.forEach((dc, done) -> clients.begin(new BusyReader(dc, done, refused)));
            Waiting.untilGrown(SOON, 20, counts);
            cluster.cql("eu")
                    .execute("INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('faults', 'busy')");
            for (String dc : cluster.dcs()) {
                Waiting.until(
                        SOON, () -> assertThat(cluster.stateOf(dc, "busy")).isNotEqualTo("not enabled"));
            }
            Waiting.untilGrown(SOON, 20, counts);
            cluster.awaitServed("busy");
            Waiting.untilGrown(SOON, 20, counts);
        }
        assertThat(refused).as("reads that failed, or went back").isEmpty();
        for (String node : List.of("eu-1", "us-1", "asia-1")) {
            assertThat(lines(node, "faults.busy: the repair of what this node owns begins"))
                    .as("repairs of its own ranges by " + node)
                    .isEqualTo(1);
            assertThat(lines(node, "faults.busy: the repair of what others own begins here"))
                    .as("repairs of ranges of others by " + node)
                    .isZero();
        }
        for (String reader : cluster.dcs()) {
            for (String dc : cluster.dcs()) {
                Waiting.until(SOON, () -> assertThat(cluster.cql(reader)
                                .execute(selectBusy(dc))
                                .one()
                                .getInt(0))
                        .isGreaterThanOrEqualTo(acknowledged.get(dc).get()));
            }
            for (int row = 0; row < UNEQUAL; row++) {
                assertThat(cluster.cql(reader)
                                .execute(selectBusy("row " + row))
                                .one()
                                .getInt(0))
                        .isEqualTo(row);
            }
        }
    }

    /** How often the node's log says so. */
    private static long lines(String node, String text) throws IOException {
        try (Stream<String> lines = Files.lines(cluster.nodes().systemLog(node))) {
            return lines.filter(line -> line.contains(text)).count();
        }
    }

    /**
     * Reads what the writer of its data centre writes, as a session that moves: no value may be older than the last.
     */
    private static final class BusyReader implements Runnable {
        private final String dc;
        private final AtomicInteger done;
        private final Queue<String> refused;
        private final MeteorShowerSession session;
        private int turn;
        private int last;

        BusyReader(String dc, AtomicInteger done, Queue<String> refused) {
            this.dc = dc;
            this.done = done;
            this.refused = refused;
            MeteorShowerSessionBuilder builder = MeteorShowerSession.builder();
            cluster.dcs().forEach(each -> builder.dataCentre(each, cluster.cql(each)));
            session = builder.build();
        }

        @Override
        public void run() {
            session.moveTo(cluster.dcs().get(turn++ % cluster.dcs().size()));
            try {
                Row row = session.execute(selectBusy(dc)).one();
                int value = row == null ? 0 : row.getInt(0);
                if (value < last) {
                    refused.add(value + " of " + dc + " read after " + last);
                }
                last = value;
                done.incrementAndGet();
            } catch (UnavailableException e) {
                // At the moment of the enabling, of a node that has not caught up with the others yet.
                System.out.println("busy: a read of " + dc + ": " + e);
            } catch (DriverException e) {
                refused.add(dc + ": " + e);
            }
        }
    }

    private static SimpleStatement selectBusy(String dc) {
        return ThreeNodes.quorum("SELECT v FROM faults.busy WHERE dc = '" + dc + "'");
    }

    @Test
    void aPartitionIsPagedThroughWhileItIsWrittenTo() throws Exception {
        int before = 300;
        cluster.createEnabled("paged", "p int, c int, v int, PRIMARY KEY (p, c)");
        MeteorShowerSession writer = MeteorShowerSession.over(cluster.cql("eu"));
        for (int c = 0; c < before; c++) {
            writer.execute("INSERT INTO faults.paged (p, c, v) VALUES (1, ?, 0)", c);
        }
        AtomicInteger written = new AtomicInteger();
        try (Busy busy = new Busy()) {
            busy.begin(() -> {
                int i = written.incrementAndGet();
                cluster.cql("us")
                        .execute(ThreeNodes.quorum(
                                "INSERT INTO faults.paged (p, c, v) VALUES (1, " + (i * 7 % before) + ", " + i + ")"));
            });
            MeteorShowerSession reader = MeteorShowerSession.builder()
                    .dataCentre(cluster.cql("asia"))
                    .requireServed(true)
                    .build();
            reader.observe(writer.token());
            for (int round = 0; round < 5; round++) {
                Set<Integer> seen = new TreeSet<>();
                int rows = 0;
                for (Row row : reader.execute(SimpleStatement.newInstance("SELECT c, v FROM faults.paged WHERE p = 1")
                        .setPageSize(25))) {
                    seen.add(row.getInt(0));
                    rows++;
                }
                assertThat(seen).as("rows that were there before").hasSize(before);
                assertThat(rows).as("rows, each once").isEqualTo(before);
            }
        }
    }

    /** A read of what one node holds. */
    private static SimpleStatement stored(int id) {
        return ThreeNodes.quorum("SELECT v FROM faults.switched WHERE id = " + id)
                .setConsistencyLevel(ConsistencyLevel.ONE);
    }

    private static boolean isServed(String dc, String table) {
        ResultSet rows =
                MeteorShowerSession.over(cluster.cql(dc)).execute("SELECT v FROM faults." + table + " WHERE id = 1");
        return ReadInfo.of(rows.getExecutionInfo()).isPresent();
    }
}
