/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.top.TopCommand;
import picocli.CommandLine;

/** What operators see of a node: virtual tables, Prometheus, traces, and {@code meteor top}. */
@ExtendWith(ThreeNodes.class)
final class MetricsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int READS = 40;
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(meteorshower_[a-z_]+)` \\|");
    private static final Pattern TYPED = Pattern.compile("(?m)^# TYPE (\\S+) \\S+$");
    private static final Pattern SAMPLED = Pattern.compile("(?m)^(meteorshower_[a-z_]+?)(_bucket|_sum|_count)?[ {]");

    private static TestCluster cluster;
    private static CqlSession eu;

    @BeforeAll
    static void load() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("measured", "id int PRIMARY KEY, v int");
        ThreeNodes.assertServing("measured", "eu", "us", "asia");
        eu = cluster.cql("eu");
        MeteorShowerSession session = MeteorShowerSession.over(eu);
        for (int i = 0; i < READS; i++) {
            session.execute("INSERT INTO faults.measured (id, v) VALUES (?, 1)", i);
            session.execute("SELECT v FROM faults.measured WHERE id = 1");
            session.execute("SELECT v FROM faults.measured WHERE id = 1", ReadMode.STRICT);
        }
        // From now on there are leases.
        cluster.createEnabled("leased", "id int PRIMARY KEY, v int", "strict=home");
        session.execute("INSERT INTO faults.leased (id, v) VALUES (1, 1)");
        assertThatThrownBy(() -> eu.execute(ThreeNodes.quorum("SELECT v FROM faults.measured")))
                .isInstanceOf(InvalidQueryException.class);
    }

    @Test
    void theVirtualTablesTellHowTheNodeItsPeersAndItsTablesDo() throws Exception {
        Row node = eu.execute("SELECT * FROM meteorshower.node").one();
        assertThat(node.getBoolean("running")).isTrue();
        assertThat(node.getLong("tables_enabled")).isPositive();
        assertThat(node.getLong("journal_bytes")).isPositive();

        // What is so at the moment: a peer that was stopped for a while is behind at first.
        Waiting.until(SOON, () -> {
            Set<String> dcs = new TreeSet<>();
            for (Row peer : eu.execute("SELECT * FROM meteorshower.peers")) {
                dcs.add(peer.getString("data_centre"));
                assertThat(peer.getString("stream")).isEqualTo("live");
                assertThat(peer.getString("state")).isEqualTo("in step");
                assertThat(peer.getLong("lag_micros")).isBetween(1_000L, 2_000_000L);
                assertThat(peer.getLong("delay_micros")).isBetween(3_000L, 500_000L);
                assertThat(peer.getLong("skew_micros")).isBetween(-500_000L, 500_000L);
                assertThat(peer.getLong("sent_bytes")).isPositive();
                assertThat(peer.getLong("received_messages")).isPositive();
            }
            assertThat(dcs).containsExactly("asia", "us");
        });

        // No read was forwarded there: the ways are those that status messages show.
        Waiting.until(SOON, () -> assertThat(
                        eu.execute("SELECT * FROM meteorshower.ways").all())
                .hasSize(2)
                .allSatisfy(way -> {
                    assertThat(way.getLong("round_trip_micros")).isBetween(6_000L, 1_000_000L);
                    assertThat(way.getLong("reads")).isZero();
                }));

        Row strict = eu.execute("SELECT * FROM meteorshower.reads WHERE keyspace_name = 'faults'"
                        + " AND table_name = 'measured' AND mode = 'strict'")
                .one();
        assertThat(strict.getLong("waited") + strict.getLong("pulled")).isGreaterThanOrEqualTo(READS);
        assertThat(strict.getLong("latency_p50_micros")).isGreaterThan(3_000);
        Row sequential = eu.execute("SELECT * FROM meteorshower.reads WHERE keyspace_name = 'faults'"
                        + " AND table_name = 'measured' AND mode = 'sequential'")
                .one();
        assertThat(sequential.getLong("local")
                        + sequential.getLong("older")
                        + sequential.getLong("waited")
                        + sequential.getLong("pulled"))
                .isGreaterThanOrEqualTo(READS);
        assertThat(sequential.getLong("forwarded")).isZero();
        Row writes = eu.execute("SELECT * FROM meteorshower.writes WHERE keyspace_name = 'faults'"
                        + " AND table_name = 'measured'")
                .one();
        assertThat(writes.getLong("acknowledged")).isGreaterThanOrEqualTo(READS);

        ResultSet modes = eu.execute("SELECT * FROM meteorshower.modes");
        assertThat(modes.all()).hasSize(5).allMatch(mode -> mode.getBoolean("available"));
        Row refusal = eu.execute("SELECT * FROM meteorshower.refusals WHERE cause = 'statement' AND operation = 'read'"
                        + " AND table_name = 'faults.measured'")
                .one();
        assertThat(refusal.getLong("times")).isPositive();
        assertThat(refusal.getString("last_message")).contains("must name their partitions", "ranges=cassandra");
    }

    @Test
    void aReadThatWaitsIsSeenWhileItDoesAndItsTraceSaysForWhat() throws Exception {
        cluster.wan().cut("eu", null, false);
        try {
            cluster.awaitSilence("eu");
            AtomicBoolean seen = new AtomicBoolean();
            CompletableFuture<Void> read = CompletableFuture.runAsync(() -> {
                // Nobody is heard, so each times out; as many as it takes to see one.
                for (int i = 0; i < 20 && !seen.get(); i++) {
                    assertThatThrownBy(() -> MeteorShowerSession.over(eu)
                                    .execute("SELECT v FROM faults.measured WHERE id = 7", ReadMode.STRICT))
                            .isInstanceOf(RuntimeException.class);
                }
            });
            Waiting.until(SOON, () -> {
                Row waiting =
                        eu.execute("SELECT * FROM meteorshower.waiting_reads").one();
                assertThat(waiting).isNotNull();
                assertThat(waiting.getString("table_name")).isEqualTo("measured");
                assertThat(waiting.getString("partition_key")).isEqualTo("7");
                assertThat(waiting.getString("mode")).isEqualTo("strict");
                assertThat(waiting.getString("awaited")).isEqualTo("status");
                assertThat(waiting.getLong("waited_micros")).isPositive();
            });
            seen.set(true);
            read.join();
            assertThat(eu.execute("SELECT times FROM meteorshower.refusals WHERE cause = 'timed_out'")
                            .one())
                    .isNotNull();
        } finally {
            cluster.wan().heal();
        }
        ThreeNodes.assertServing("measured", "eu", "us", "asia");
        Waiting.until(SOON, () -> assertThat(
                        eu.execute("SELECT * FROM meteorshower.waiting_reads").one())
                .isNull());

        assertTraced(
                ThreeNodes.quorum("SELECT v FROM faults.measured WHERE id = 7"),
                "MeteorShower: served ",
                "behind the clock");
        assertTraced(
                ThreeNodes.quorum("SELECT v FROM faults.measured WHERE id = 7")
                        .setCustomPayload(Map.of(
                                "meteorshower.mode", ByteBuffer.wrap("strict".getBytes(StandardCharsets.UTF_8)))),
                "MeteorShower: the read waited: ",
                "MeteorShower: served WAITED");
        assertTraced(
                ThreeNodes.quorum("INSERT INTO faults.measured (id, v) VALUES (7, 7)"),
                "MeteorShower: the write's timestamp is",
                "MeteorShower: written at");
    }

    /** Executes a statement, again where the machine was in the way, until its trace says all of this. */
    private static void assertTraced(SimpleStatement statement, String... said) throws InterruptedException {
        Waiting.until(SOON, () -> {
            ExecutionInfo info = eu.execute(statement.setTracing(true)).getExecutionInfo();
            // It is complete a moment after the answer.
            Waiting.until(Duration.ofSeconds(5), () -> assertThat(info.getQueryTrace().getEvents().stream()
                            .map(event -> String.valueOf(event.getActivity()))
                            .collect(Collectors.joining("\n")))
                    .contains(said));
        });
    }

    @Test
    void prometheusIsToldEveryDocumentedMetricAndNoOther() throws Exception {
        Set<String> documented = namesIn(DOCUMENTED, Files.readString(Path.of("..", "docs", "METRICS.md")));
        // A look takes place once a second.
        Waiting.until(SOON, () -> {
            String scrape = scrape("eu-1");
            assertThat(namesIn(TYPED, scrape)).isEqualTo(documented);
            Set<String> silent = new TreeSet<>(documented);
            silent.removeAll(namesIn(SAMPLED, scrape));
            // Nobody uses transactions here.
            silent.removeIf(name -> name.startsWith("meteorshower_transaction"));
            assertThat(silent).isEmpty();
            assertThat(scrape)
                    .contains(
                            "meteorshower_read_latency_seconds_count{keyspace=\"faults\",table=\"measured\",mode=\"strict\"} ")
                    .contains("meteorshower_table_served{keyspace=\"faults\",table=\"measured\"} 1\n");
        });
        Files.writeString(Reports.file("MetricsIT-scrape.txt"), scrape("eu-1"));
    }

    private static Set<String> namesIn(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static String scrape(String node) throws Exception {
        NodeSpec spec = cluster.nodes().node(node);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://" + spec.address() + ":" + ThreeNodes.METRICS_PORT + "/metrics"))
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void everySelectOfTheRunbookRuns() throws Exception {
        StringBuilder answers = new StringBuilder();
        int run = 0;
        for (String line : Files.readAllLines(Path.of("..", "docs", "OPERATE.md"))) {
            if (line.startsWith("    SELECT ")) {
                String statement = line.strip().replaceFirst(";.*", "");
                answers.append(statement).append('\n');
                eu.execute(statement).forEach(row -> answers.append("  ")
                        .append(row.getFormattedContents())
                        .append('\n'));
                run++;
            }
        }
        assertThat(run).isGreaterThan(10);
        Files.writeString(Reports.file("MetricsIT-runbook.txt"), answers.toString());
    }

    @Test
    void topShowsAllNodesForPeopleAndForPrograms() throws Exception {
        StringWriter out = new StringWriter();
        // A node that answers too late is shown as one that does not tell.
        Waiting.until(SOON, () -> {
            out.getBuffer().setLength(0);
            assertThat(top(out, "--once", "--json")).isZero();
            JsonNode picture = new ObjectMapper().readTree(out.toString());
            assertThat(picture.get("nodes")).hasSize(3);
            JsonNode first = picture.get("nodes").get(0);
            assertThat(first.get("name").asText()).isEqualTo("eu-1");
            assertThat(first.get("tells").asBoolean()).isTrue();
            assertThat(first.get("peers")).hasSize(2);
            assertThat(first.get("reads_per_second").isNumber()).isTrue();
        });
        Waiting.until(SOON, () -> {
            out.getBuffer().setLength(0);
            assertThat(top(out, "--once")).isZero();
            Files.writeString(Reports.file("MetricsIT-top.txt"), out.toString());
            assertThat(out.toString())
                    .contains("3 of 3 nodes tell", "eu-1", "us-1", "asia-1", "faults.measured strict");
        });
        String contact = cluster.nodes().node("us-1").address();
        Waiting.until(SOON, () -> {
            out.getBuffer().setLength(0);
            assertThat(top(out, "--once", "--contact", contact)).isZero();
            assertThat(out.toString()).contains("3 of 3 nodes tell", contact);
        });
    }

    private static int top(StringWriter out, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--dir", cluster.nodes().folder().toString()));
        return new CommandLine(new TopCommand(new PrintWriter(out))).execute(all.toArray(new String[0]));
    }
}
