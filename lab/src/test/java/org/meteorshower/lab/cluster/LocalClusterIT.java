/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;

/** A plain cluster of three data centres through its whole life, on real Cassandra nodes. */
@LongTest
final class LocalClusterIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);
    private static final long MAX_MEMORY_BYTES = 3L << 30;

    @TempDir
    private Path parent;

    private LocalCluster cluster;
    private List<NodeProcess> everStarted;

    @BeforeEach
    void start() {
        cluster = LocalCluster.start(
                Installation.locate(),
                parent.resolve("cluster"),
                ClusterOptions.builder()
                        .plugin(false)
                        .firstAddress(FreeAddress.next())
                        .build(),
                LIMIT,
                System.out::println);
        everStarted = processes();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aClusterServesQuorumThroughACrashAndLeavesNothing() {
        long memory =
                cluster.status().stream().mapToLong(NodeStatus::residentBytes).sum();
        assertThat(memory).isBetween(1L, MAX_MEMORY_BYTES);

        try (CqlSession session = session()) {
            session.execute("CREATE KEYSPACE k WITH replication ="
                    + " {'class': 'NetworkTopologyStrategy', 'eu': 1, 'us': 1, 'asia': 1}");
            session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
            write(session, 1);

            cluster.kill("asia-1");
            assertThat(states()).endsWith(NodeStatus.State.DOWN);
            assertThatThrownBy(() -> cluster.pause("asia-1")).hasMessageContaining("./meteor cluster restart asia-1");
            write(session, 2);

            cluster.restart("asia-1", LIMIT, System.out::println);
            assertThat(states()).containsOnly(NodeStatus.State.UP);
            everStarted =
                    Stream.concat(everStarted.stream(), processes().stream()).toList();
            assertThat(read(session, 2, ConsistencyLevel.ALL)).isEqualTo("v2");

            cluster.pause("us-1");
            awaitState(NodeStatus.State.PAUSED);
            cluster.resume("us-1");
            write(session, 3);
        }
        assertThatThrownBy(() -> cluster.kill("asia1")).hasMessageContaining("the nodes are eu-1, us-1, asia-1");

        List<NodeSpec> nodes = cluster.nodes();
        cluster.stop(false);
        assertThat(everStarted).hasSizeGreaterThanOrEqualTo(4).noneMatch(NodeProcess::isAlive);
        assertThat(parent.resolve("cluster")).doesNotExist();
        PortCheck.requireFree(nodes, true);
    }

    /** The signal is sent; on a busy machine it takes a moment until the system says that the process has stopped. */
    private void awaitState(NodeStatus.State state) {
        long endNanos = System.nanoTime() + LIMIT.toNanos();
        while (!states().contains(state) && System.nanoTime() < endNanos) {
            LockSupport.parkNanos(50_000_000);
        }
        assertThat(states()).contains(state);
    }

    private static void write(CqlSession session, int id) {
        session.execute(SimpleStatement.newInstance("INSERT INTO k.t (id, v) VALUES (?, ?)", id, "v" + id)
                .setConsistencyLevel(ConsistencyLevel.QUORUM));
        assertThat(read(session, id, ConsistencyLevel.QUORUM)).isEqualTo("v" + id);
    }

    private static String read(CqlSession session, int id, ConsistencyLevel consistency) {
        return session.execute(SimpleStatement.newInstance("SELECT v FROM k.t WHERE id = ?", id)
                        .setConsistencyLevel(consistency))
                .one()
                .getString(0);
    }

    private CqlSession session() {
        return CqlSession.builder()
                // Nodes that have just begun take their time with the first changes of the schema.
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, REQUEST_LIMIT)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, REQUEST_LIMIT)
                        .build())
                .addContactPoint(cluster.contactPoints().get(0))
                .withLocalDatacenter("eu")
                .build();
    }

    private List<NodeStatus.State> states() {
        return cluster.status().stream().map(NodeStatus::state).toList();
    }

    private List<NodeProcess> processes() {
        return cluster.status().stream()
                .filter(n -> n.pid() > 0)
                .map(n -> NodeProcess.of(n.pid()))
                .toList();
    }
}
