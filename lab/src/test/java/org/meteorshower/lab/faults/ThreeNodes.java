/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * Three data centres of one node each, whose plugins share a secret, for all test classes that leave them as they found
 * them, but for tables of their own: started for the first one, closed after the last.
 */
public final class ThreeNodes implements BeforeAllCallback {
    static final String SECRET = "known to the nodes alone";

    static final int METRICS_PORT = 9_601;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final AtomicInteger written = new AtomicInteger();
    private static volatile TestCluster cluster;

    static TestCluster cluster() {
        return cluster;
    }

    /** Their addresses, the first data centre's first. */
    public static List<String> hosts() {
        return cluster.nodes().nodes().stream().map(NodeSpec::address).toList();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(ThreeNodes.class, key -> start(), AutoCloseable.class);
    }

    private static AutoCloseable start() {
        try {
            Path folder = Files.createTempDirectory("meteorshower");
            TestCluster started = TestCluster.start(
                    "ThreeNodes",
                    folder,
                    ClusterOptions.builder()
                            .delaysMillis(List.of(5.0))
                            // What a node missed of the schema it asks for after seconds instead of a minute.
                            .jvmOptions(List.of(
                                    "-Dcassandra.migration_delay_ms=3000", "-Dcassandra.schema_pull_interval_ms=3000"))
                            .pluginOptions(Map.of(
                                    "transport.secret",
                                    '"' + SECRET + '"',
                                    "metrics.port",
                                    Integer.toString(METRICS_PORT))));
            cluster = started;
            started.createKeyspace();
            return () -> {
                started.close();
                Files.delete(folder);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In a table of columns id and v, at QUORUM: what each of these data centres writes, each of them reads. */
    static void assertServing(String table, String... dcs) throws InterruptedException {
        for (String writer : dcs) {
            int value = written.incrementAndGet();
            Waiting.until(LIMIT, () -> cluster.cql(writer)
                    .execute(quorum("INSERT INTO faults." + table + " (id, v) VALUES (1, " + value + ")")));
            for (String reader : dcs) {
                // A stock driver elsewhere has an order of its own, so it may see it a moment later.
                Waiting.until(LIMIT, () -> {
                    Row row = cluster.cql(reader)
                            .execute(quorum("SELECT v FROM faults." + table + " WHERE id = 1"))
                            .one();
                    assertThat(row == null ? null : row.getInt(0)).isEqualTo(value);
                });
            }
        }
    }

    static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }
}
