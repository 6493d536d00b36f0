/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Outcome;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * Each fault strikes while sessions are at work. Whatever happens: what they saw is sequentially consistent, no
 * acknowledged write is lost, and a minority that is down or cut off keeps nobody else from working.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FaultsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final double DELAY_MILLIS = 10;

    @TempDir
    private static Path folder;

    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start("FaultsIT", folder, ClusterOptions.builder().delaysMillis(List.of(DELAY_MILLIS)));
        cluster.createKeyspace();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void undo() {
        cluster.wan().heal();
        setLoss(0);
        cluster.dcs().forEach(dc -> cluster.wan().clock(dc + "-1", 0));
    }

    @Test
    @Order(0)
    void whatAWeakerStoreDoesToTheseSessionsIsNoticed() throws Exception {
        try (Workload workload = Workload.startWeak(cluster, "weak")) {
            cluster.wan().cut("asia", null, false);
            Thread.sleep(1_000); // nodes follow the network's file within 100 ms
            workload.awaitProgress("eu", "us");
            cluster.wan().heal();
            assertThat(Model.SEQUENTIAL.check(workload.stop()).outcome()).isEqualTo(Outcome.VIOLATION);
        }
    }

    @Test
    @Order(1)
    void aNodeKilledDuringWritesComesBackWithAllItAcknowledged() throws Exception {
        try (Workload workload = Workload.start(cluster, "killed")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("kill us-1");
            cluster.nodes().kill("us-1");
            workload.awaitProgress("eu", "asia");
            workload.restart("us-1");
            workload.awaitProgress("us", "eu", "asia");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @Test
    @Order(2)
    void aDataCentreCutOffTimesOutAsQuorumWouldWhileTheOthersGoOn() throws Exception {
        try (Workload workload = Workload.start(cluster, "cut_off")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("cut asia");
            cluster.wan().cut("asia", null, false);
            cluster.awaitSilence("asia");

            MeteorShowerSession session = MeteorShowerSession.builder()
                    .dataCentre("eu", cluster.cql("eu"))
                    .dataCentre("asia", cluster.cql("asia"))
                    .requireServed(true)
                    .build();
            session.execute(insert("cut_off", 1_000, "seen in eu"));
            session.moveTo("asia");
            // It must not be told less than it knows, and asia cannot know more.
            assertThatThrownBy(() -> session.execute(select("cut_off", 1_000)))
                    .isInstanceOfAny(ReadTimeoutException.class, UnavailableException.class);
            assertThatThrownBy(() -> cluster.cql("asia")
                            .execute(insert("cut_off", 1_001, "said in asia")
                                    .setConsistencyLevel(ConsistencyLevel.QUORUM)))
                    // Once Cassandra takes the others for dead it says so at once, and the driver looks for another
                    // node.
                    .isInstanceOfAny(WriteTimeoutException.class, AllNodesFailedException.class);
            workload.awaitProgress("eu", "us");
            long before = workload.writes("asia");
            Thread.sleep(500);
            assertThat(workload.writes("asia"))
                    .as("writes acknowledged without a majority")
                    .isEqualTo(before);

            workload.note("heal");
            cluster.wan().heal();
            Waiting.until(SOON, () -> assertThat(
                            session.execute(select("cut_off", 1_000)).one().getString(0))
                    .isEqualTo("seen in eu"));
            workload.awaitProgress("asia", "eu", "us");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @LongTest
    @Test
    @Order(3)
    void aNodePausedForTenSecondsGoesOnWhereTheOthersAre() throws Exception {
        try (Workload workload = Workload.start(cluster, "paused")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("pause asia-1");
            cluster.nodes().pause("asia-1");
            long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            workload.awaitProgress("eu", "us");
            Thread.sleep(Math.max(0, Duration.ofNanos(end - System.nanoTime()).toMillis()));
            workload.awaitProgress("eu", "us");
            workload.note("resume asia-1");
            cluster.nodes().resume("asia-1");
            workload.awaitProgress("asia", "eu", "us");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @LongTest
    @Test
    @Order(4)
    void aDataCentreThatHearsButIsNotHeardHarmsNobody() throws Exception {
        try (Workload workload = Workload.start(cluster, "one_way")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("cut asia");
            cluster.wan().cut("asia", null, true);
            Thread.sleep(300);
            workload.awaitProgress("eu", "us");
            Thread.sleep(1_000);
            workload.awaitProgress("eu", "us");
            workload.note("heal");
            cluster.wan().heal();
            workload.awaitProgress("asia", "eu", "us");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @LongTest
    @Test
    @Order(5)
    void messagesThatGetLostAreMissedByNobody() throws Exception {
        setLoss(0.02);
        try (Workload workload = Workload.start(cluster, "lossy")) {
            workload.awaitProgress("eu", "us", "asia");
            Thread.sleep(3_000);
            workload.awaitProgress("eu", "us", "asia");
            setLoss(0);
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    @LongTest
    @Test
    @Order(6)
    void clocksThatAreMinutesOffAndJumpBackOverACrashCostNoCorrectness() throws Exception {
        try (Workload workload = Workload.start(cluster, "clocks")) {
            workload.awaitProgress("eu", "us", "asia");
            workload.note("clocks off");
            cluster.wan().clock("us-1", 180_000);
            cluster.wan().clock("asia-1", -120_000);
            Thread.sleep(300);
            workload.awaitProgress("eu", "us", "asia");
            // What was three minutes ahead is not, when it is back.
            workload.note("kill us-1");
            cluster.nodes().kill("us-1");
            cluster.wan().clock("us-1", 0);
            workload.awaitProgress("eu", "asia");
            workload.restart("us-1");
            cluster.wan().clock("asia-1", 0);
            workload.awaitProgress("us", "eu", "asia");
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    /** For less than makes the others leave it behind. Nobody's requests wait for their time-outs when it is back. */
    @LongTest
    @Test
    @Order(7)
    void aDataCentreThatComesBackHasCaughtUpWhenItTakesClients() throws Exception {
        try (Workload workload = Workload.start(cluster, "away");
                StockClients stock = new StockClients(cluster, "away")) {
            stock.begin();
            workload.awaitProgress("eu", "us", "asia");
            workload.note("kill us-1");
            cluster.nodes().kill("us-1");
            Thread.sleep(25_000);
            NodeLog log = NodeLog.fromNowOn(cluster, "us-1");
            workload.restart("us-1");
            workload.awaitProgress("eu", "us", "asia");
            Thread.sleep(15_000);
            stock.close();
            List<String> opened = log.linesWith("it takes clients now");
            System.out.println("a data centre comes back: " + stock + "; " + opened);
            assertThat(stock.unanswered()).as("while it was away").isPositive();
            assertThat(stock.failures()).isEmpty();
            assertThat(opened).as("it lacked something when it came back").hasSize(1);
            EndState.check(workload, workload.stopAndCheck());
        }
    }

    private static void setLoss(double fraction) {
        cluster.wan().set("eu", "us", DELAY_MILLIS, 0, fraction, false);
        cluster.wan().set("us", "asia", DELAY_MILLIS, 0, fraction, false);
        cluster.wan().set("eu", "asia", DELAY_MILLIS, 0, fraction, false);
    }

    private static SimpleStatement insert(String table, int row, String value) {
        return SimpleStatement.newInstance(
                "INSERT INTO " + TestCluster.KEYSPACE + "." + table + " (id, value) VALUES (?, ?)", row, value);
    }

    private static SimpleStatement select(String table, int row) {
        return SimpleStatement.newInstance(
                "SELECT value FROM " + TestCluster.KEYSPACE + "." + table + " WHERE id = ?", row);
    }
}
