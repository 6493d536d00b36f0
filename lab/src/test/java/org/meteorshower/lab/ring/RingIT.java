/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;

/** A node joins plain Cassandra, holds a second replica, dies, and is removed. Enabled tables: see OperationsIT. */
@LongTest
final class RingIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final int ROWS = 20;

    @TempDir
    private Path parent;

    private LocalCluster cluster;
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() {
        cluster = LocalCluster.start(
                Installation.locate(),
                parent.resolve("cluster"),
                ClusterOptions.builder()
                        .dcs(List.of("eu", "us"))
                        .plugin(false)
                        .firstAddress(FreeAddress.next())
                        .build(),
                LIMIT,
                System.out::println);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aNodeJoinsHoldsASecondReplicaDiesAndIsRemoved() {
        Ring ring = new Ring(cluster, LIMIT, line -> {
            System.out.println(line);
            said.add(line);
        });
        write();
        assertThatThrownBy(() -> ring.add("mars")).hasMessage("no data centre is called mars; they are eu, us");
        assertThatThrownBy(() -> ring.remove("us-1")).hasMessageContaining("us-1 is the last node of us");
        assertThatThrownBy(() -> ring.replace("us-1", false)).hasMessageContaining("--kill");

        NodeSpec joined = ring.add("eu");
        assertThat(joined.name()).isEqualTo("eu-2");
        assertThat(cluster.status()).hasSize(3).extracting(NodeStatus::state).containsOnly(NodeStatus.State.UP);
        assertThat(said).anyMatch(line -> line.contains("joining: ")).contains("  normal");
        assertThat(read("eu-1", ConsistencyLevel.ALL)).isEqualTo(ROWS);

        ring.follow("eu", ring.replicas("eu", 2, List.of("k")));
        assertThat(read("eu-2", ConsistencyLevel.ONE))
                .as("rows that eu-2 holds")
                .isEqualTo(ROWS);
        assertThatThrownBy(() -> ring.remove("eu-2")).hasMessageContaining("keyspace k has 2 replicas in eu");
        ring.follow("eu", ring.replicas("eu", 1, List.of("k")));

        cluster.kill("eu-2");
        assertThatThrownBy(() -> ring.add("us")).hasMessageContaining("eu-2 is down");
        assertThat(ring.remove("eu-2")).isEqualTo("removenode");
        assertThat(cluster.nodes()).extracting(NodeSpec::name).containsExactly("eu-1", "us-1");
        assertThat(cluster.gone()).containsExactly(joined);
        assertThat(cluster.newNode("eu").name()).isEqualTo("eu-3");
        assertThat(read("us-1", ConsistencyLevel.ALL)).isEqualTo(ROWS);
    }

    private CqlSession session(String node) {
        NodeSpec spec = cluster.node(node);
        return CqlSession.builder()
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENT)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENT)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENT)
                        .build())
                .addContactPoint(new InetSocketAddress(spec.address(), NodeSpec.CQL_PORT))
                .withLocalDatacenter(spec.dc())
                .build();
    }

    private void write() {
        try (CqlSession session = session("eu-1")) {
            session.execute(
                    "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 1, 'us': 1}");
            session.execute("CREATE TABLE k.t (id int PRIMARY KEY)");
            for (int row = 0; row < ROWS; row++) {
                session.execute("INSERT INTO k.t (id) VALUES (" + row + ")");
            }
        }
    }

    /** How many of the rows are found so. */
    private int read(String node, ConsistencyLevel level) {
        int found = 0;
        try (CqlSession session = session(node)) {
            for (int row = 0; row < ROWS; row++) {
                found += session.execute(SimpleStatement.newInstance("SELECT id FROM k.t WHERE id = " + row)
                                                .setConsistencyLevel(level))
                                        .one()
                                == null
                        ? 0
                        : 1;
            }
        }
        return found;
    }
}
