/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * A data centre that was away while clients wrote, for less than makes the others leave it behind: it takes clients
 * once it has caught up, and nobody's requests wait for their time-outs behind what it is brought.
 */
@LongTest
final class ReturningIT {
    private static final long AWAY_SECONDS = 25;
    private static final long WATCHED_SECONDS = 15;

    @TempDir
    private static Path folder;

    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                "ReturningIT", folder, ClusterOptions.builder().delaysMillis(List.of(10.0)));
        cluster.createKeyspace();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aDataCentreThatComesBackHasCaughtUpWhenItTakesClients() throws Exception {
        try (Workload workload = Workload.start(cluster, "away");
                StockClients stock = new StockClients(cluster, "away")) {
            stock.begin();
            workload.awaitProgress("eu", "us", "asia");
            workload.note("kill us-1");
            cluster.nodes().kill("us-1");
            TimeUnit.SECONDS.sleep(AWAY_SECONDS);
            NodeLog log = NodeLog.fromNowOn(cluster, "us-1");
            workload.restart("us-1");
            workload.awaitProgress("eu", "us", "asia");
            TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
            System.out.println("a data centre comes back: " + stock);
            stock.close();
            assertThat(stock.unanswered()).as("while it was away").isPositive();
            assertThat(stock.failures()).isEmpty();
            List<String> opened = log.linesWith("it takes clients now");
            assertThat(opened).as("it lacked something when it came back").hasSize(1);
            System.out.println(opened.get(0));
            EndState.check(workload, workload.stopAndCheck());
        }
    }
}
