/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;

/**
 * What every user does, on three nodes of one release of Cassandra: {@code lab/compatibility 5.0.3} runs it, and tells
 * the outcome in a line for docs/INSTALL.md. On the release that is built against, every other test does the same.
 */
@EnabledIfSystemProperty(
        named = "meteor.cassandra.version",
        matches = ".+",
        disabledReason = "is for other releases of Cassandra: lab/compatibility runs it")
final class CompatibilityIT {
    private static final String RELEASE = System.getProperty("meteor.cassandra.version", "");
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Also on paths that the other test does not take. */
    @Test
    void allThatThePluginNamesOfCassandraIsThere() throws Exception {
        Installation installation = Installation.locate();
        try (Links links = new Links(installation.pluginJar(), installation.nodeJars())) {
            assertThat(links.missing()).isEmpty();
            assertThat(links.named()).isGreaterThan(10_000);
        }
    }

    @Test
    void aTableIsEnabledServedChangedByTransactionsAndServedAgainAfterARestart() throws Exception {
        Path folder = Files.createTempDirectory("meteorshower");
        Path report = Reports.file("compatibility-" + RELEASE + ".txt");
        Files.deleteIfExists(report);
        try (TestCluster cluster = TestCluster.start(
                "Compatibility-" + RELEASE, folder, ClusterOptions.builder().delaysMillis(List.of(5.0)))) {
            Row local = cluster.cql("eu")
                    .execute("SELECT release_version FROM system.local")
                    .one();
            assertThat(local.getString(0)).isEqualTo(RELEASE);
            cluster.createKeyspace();
            cluster.createEnabled("kept", "id int PRIMARY KEY, v int");
            cluster.create("agreed", "id int PRIMARY KEY, v int");
            served(cluster, 1);
            transacted(cluster);
            cluster.restart("us-1");
            cluster.awaitServed("kept");
            served(cluster, 2);
            for (String node : List.of("eu-1", "us-1", "asia-1")) {
                assertThat(Files.readAllLines(cluster.nodes().systemLog(node)))
                        .filteredOn(line -> line.startsWith("WARN") || line.startsWith("ERROR"))
                        .noneMatch(line -> line.contains("MeteorShower") && line.contains("Exception"));
            }
        }
        Files.delete(folder);
        Files.writeString(
                report,
                "| " + RELEASE + " | " + System.getProperty("java.version")
                        + " | served, changed by transactions, served again after a restart |\n");
    }

    /** A write at QUORUM in each data centre is read at QUORUM in all of them, by the node itself. */
    private static void served(TestCluster cluster, int round) throws Exception {
        for (String writer : cluster.dcs()) {
            int value = 10 * round + cluster.dcs().indexOf(writer);
            MeteorShowerSession session = MeteorShowerSession.over(cluster.cql(writer));
            Waiting.until(SOON, () -> session.execute("INSERT INTO faults.kept (id, v) VALUES (1, ?)", value));
            for (String reader : cluster.dcs()) {
                MeteorShowerSession other = MeteorShowerSession.over(cluster.cql(reader));
                other.observe(session.token());
                Waiting.until(SOON, () -> {
                    var rows = other.execute("SELECT v FROM faults.kept WHERE id = 1");
                    assertThat(rows.one().getInt(0)).isEqualTo(value);
                    assertThat(ReadInfo.of(rows.getExecutionInfo())
                                    .orElseThrow()
                                    .served())
                            .isEqualTo(Served.LOCAL);
                });
            }
            // A stock client, and Cassandra's own path beside it.
            assertThat(cluster.cql(writer)
                            .execute(SimpleStatement.newInstance("SELECT v FROM faults.kept WHERE id = 1")
                                    .setConsistencyLevel(ConsistencyLevel.ALL))
                            .one()
                            .getInt(0))
                    .isEqualTo(value);
        }
    }

    /** One that reads and writes, in each data centre. */
    private static void transacted(TestCluster cluster) throws Exception {
        cluster.letIn("eu", "agreed");
        Waiting.until(SOON, () -> cluster.cql("eu").execute("INSERT INTO faults.agreed (id, v) VALUES (1, 0)"));
        int sum = 0;
        for (String dc : cluster.dcs()) {
            sum++;
            int before = sum - 1;
            Waiting.until(SOON, () -> cluster.cql(dc)
                    .execute("BEGIN TRANSACTION LET a = (SELECT v FROM faults.agreed WHERE id = 1);"
                            + " IF a.v = " + before + " THEN UPDATE faults.agreed SET v = a.v + 1 WHERE id = 1; END IF"
                            + " COMMIT TRANSACTION"));
        }
        assertThat(cluster.cql("asia")
                        .execute(SimpleStatement.newInstance("SELECT v FROM faults.agreed WHERE id = 1")
                                .setConsistencyLevel(ConsistencyLevel.QUORUM))
                        .one()
                        .getInt(0))
                .isEqualTo(sum);
    }
}
