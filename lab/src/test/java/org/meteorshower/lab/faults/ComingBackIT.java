/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * A data centre that was away for longer than the others keep what it misses comes back by itself, while sessions are
 * at work. There are no hints, so that what it gets it has from the others' stores.
 */
final class ComingBackIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration RETURN = Duration.ofMinutes(4);
    private static final Duration READ_LIMIT = Duration.ofSeconds(20);

    /** So far away the node that comes back is filled slowly enough to be read meanwhile. */
    private static final double FAR_MILLIS = 50;

    /** The least that can be configured. */
    private static final int MAX_RECORDS = 1_000;

    private static final int FIRST_MISSED = 2_000;
    private static final int MISSED = MAX_RECORDS + 100;
    private static final int FIRST_LATER = 5_000;
    private static final int LATER = 20;
    private static final int AT_ONCE = 20;

    @TempDir
    private static Path folder;

    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                "ComingBackIT",
                folder,
                ClusterOptions.builder()
                        .delaysMillis(List.of(5.0))
                        .pluginOptions(Map.of("max_records", Integer.toString(MAX_RECORDS)))
                        .cassandraOptions(Map.of(
                                "hinted_handoff_enabled",
                                "false",
                                "read_request_timeout", // also on a machine that takes seconds to connect
                                READ_LIMIT.toMillis() + "ms")));
        cluster.createKeyspace();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aDataCentreThatMissedTooMuchIsFilledAndServesAgainWithNoStatementGiven() throws Exception {
        UUID us = cluster.cql("us")
                .execute("SELECT host_id FROM system.local")
                .one()
                .getUuid(0);
        try (Workload workload = Workload.start(cluster, "missed")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("kill us-1");
            cluster.nodes().kill("us-1");
            workload.awaitProgress("eu", "asia");
            MeteorShowerSession writer = write(FIRST_MISSED, MISSED);
            for (String dc : List.of("eu", "asia")) {
                Waiting.until(SOON, () -> assertThat(stateOf(dc, us)).isEqualTo("left behind"));
            }

            cluster.wan().set("us", "eu", FAR_MILLIS, 0, 0, false);
            cluster.wan().set("us", "asia", FAR_MILLIS, 0, 0, false);
            workload.restart("us-1"); // which was left behind
            Reader reader = new Reader(writer);
            for (String dc : List.of("eu", "asia")) {
                Waiting.until(RETURN, () -> {
                    reader.read();
                    assertThat(stateOf(dc, us)).isEqualTo("not left behind");
                });
            }
            workload.note("counted again; " + reader);
            reader.assertNothingWasRefused();
            Waiting.until(SOON, () -> assertThat(streamsAt("us")).containsExactly("live", "live"));
            Waiting.until(
                    SOON, () -> assertThat(cluster.stateOf("us", "missed")).isEqualTo("served"));
            workload.awaitProgress("us", "eu", "asia");
            assertReadLocally(writer, FIRST_MISSED, MISSED);
            EndState.check(workload, workload.stopAndCheck());
        }

        // Counted again, it misses nothing of what is written while it is away for a moment.
        cluster.wan().cut("us", null, false);
        cluster.awaitSilence("us");
        MeteorShowerSession writer = write(FIRST_LATER, LATER);
        cluster.wan().heal();
        assertReadLocally(writer, FIRST_LATER, LATER);
        assertThat(stateOf("eu", us)).isEqualTo("not left behind");
    }

    /** Returns a session that has seen all of them. */
    private static MeteorShowerSession write(int first, int rows) {
        for (int some = first; some < first + rows; some += AT_ONCE) {
            List<CompletableFuture<?>> writes = IntStream.range(some, some + AT_ONCE)
                    .<CompletableFuture<?>>mapToObj(row -> cluster.cql("eu")
                            .executeAsync(ThreeNodes.quorum(insert(row)))
                            .toCompletableFuture())
                    .toList();
            writes.forEach(CompletableFuture::join);
        }
        MeteorShowerSession session = MeteorShowerSession.builder()
                .dataCentre("eu", cluster.cql("eu"))
                .dataCentre("us", cluster.cql("us"))
                .requireServed(true)
                .build();
        session.execute(insert(first + rows)); // by the same coordinator, so later than all of them
        return session;
    }

    private static String insert(int row) {
        return "INSERT INTO faults.missed (id, value) VALUES (" + row + ", '" + valueOf(row) + "')";
    }

    private static String selectOf(int row) {
        return "SELECT value FROM faults.missed WHERE id = " + row;
    }

    private static String valueOf(int row) {
        return "value " + row;
    }

    /** Reads at the node that is being filled, as a session that has seen all. */
    private static final class Reader {
        private final MeteorShowerSession session;
        private int forwarded;
        private int local;
        private final List<String> failures = new ArrayList<>();
        private Duration longest = Duration.ZERO;

        Reader(MeteorShowerSession session) {
            this.session = session;
        }

        void read() {
            session.moveTo("us");
            int row = FIRST_MISSED + (forwarded + local) % MISSED;
            long begunNanos = System.nanoTime();
            try {
                ResultSet result = session.execute(
                        SimpleStatement.newInstance(selectOf(row)).setTimeout(READ_LIMIT));
                assertThat(Objects.requireNonNull(result.one()).getString(0)).isEqualTo(valueOf(row));
                if (ReadInfo.of(result.getExecutionInfo()).orElseThrow().forwarded()) {
                    forwarded++;
                } else {
                    local++;
                }
            } catch (DriverException e) {
                failures.add(e.toString());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
            longest = took.compareTo(longest) > 0 ? took : longest;
        }

        void assertNothingWasRefused() {
            assertThat(failures).isEmpty();
            assertThat(forwarded).as(toString()).isPositive();
        }

        @Override
        public String toString() {
            return forwarded + " reads were forwarded, " + local + " were not, the longest took " + longest.toMillis()
                    + " ms, failed: " + failures;
        }
    }

    /** Whatever the node that was away answers a session that has seen all is right, and in the end it asks nobody. */
    private static void assertReadLocally(MeteorShowerSession session, int first, int rows)
            throws InterruptedException {
        session.moveTo("us");
        for (int row = first; row <= first + rows; row++) {
            String select = selectOf(row);
            Set<String> seen = new HashSet<>();
            Waiting.until(SOON, () -> {
                ResultSet result = session.execute(select);
                Row found = result.one();
                seen.add(found == null ? "no row" : String.valueOf(found.getString(0)));
                assertThat(ReadInfo.of(result.getExecutionInfo()).orElseThrow().served())
                        .isIn(Served.LOCAL, Served.OLDER);
            });
            assertThat(seen).containsExactly(valueOf(row));
        }
    }

    private static List<String> streamsAt(String dc) {
        return cluster.cql(dc).execute("SELECT stream FROM meteorshower.peers").all().stream()
                .map(peer -> String.valueOf(peer.getString(0)))
                .toList();
    }

    private static String stateOf(String dc, UUID peer) {
        Row row = cluster.cql(dc)
                .execute("SELECT state FROM meteorshower.left_behind WHERE host_id = ?", peer)
                .one();
        return row == null ? "not left behind" : String.valueOf(row.getString(0));
    }
}
