/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.cluster.NodeStatus;

/** A table of {@code w=one}, that is (r, w) = (ALL, ONE): writes end at home, reads need word from all replicas. */
@ExtendWith(ThreeNodes.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class WriteOneIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final double USUAL_DELAY_MILLIS = 5;
    private static final double DELAY_MILLIS = 40;
    private static final int ROUNDS = 30;

    private static TestCluster cluster;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("ones", "id int PRIMARY KEY, v text", "w=one");
        setDelays(DELAY_MILLIS);
        // Nodes follow the network's file a little later.
        MeteorShowerSession session = session("eu");
        Waiting.until(SOON, () -> assertThat(micros(() -> write(session, 1, "far", ConsistencyLevel.QUORUM)))
                .as("µs of a write at QUORUM")
                .isGreaterThan(millis(2 * DELAY_MILLIS)));
    }

    @AfterAll
    static void asItWas() throws Exception {
        setDelays(USUAL_DELAY_MILLIS);
        if (cluster.nodes().status().stream().anyMatch(node -> node.state() == NodeStatus.State.DOWN)) {
            cluster.restart("asia-1");
        }
    }

    private static void setDelays(double millis) {
        cluster.wan().set("eu", "us", millis, 0, 0, false);
        cluster.wan().set("us", "asia", millis, 0, 0, false);
        cluster.wan().set("eu", "asia", millis, 0, 0, false);
    }

    @Test
    @Order(1)
    void aWriteAtOneEndsAtHomeAndOneAtQuorumAtTheMajority() {
        MeteorShowerSession session = session("eu");
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            String value = "w" + i;
            micros.add(micros(() -> write(session, 1, value, ConsistencyLevel.ONE)));
        }
        assertThat(median(micros))
                .as("µs of a write at ONE, which waits for nobody")
                .isLessThan(millis(DELAY_MILLIS));
        assertThat(micros(() -> write(session, 1, "w", ConsistencyLevel.QUORUM)))
                .as("µs of a write at QUORUM")
                .isGreaterThan(millis(2 * DELAY_MILLIS));
        assertThatThrownBy(() -> write(session, 1, "w", ConsistencyLevel.ANY))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("use ONE or more");
    }

    @Test
    @Order(2)
    void readsOfRowsAtRestAreServedAtHomeAtQuorumAndAtAll() throws Exception {
        for (ConsistencyLevel level : List.of(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL)) {
            for (String dc : cluster.dcs()) {
                MeteorShowerSession session = session(dc);
                Waiting.until(
                        SOON, () -> assertThat(text(read(session, 1, level))).isEqualTo("w"));
                List<Long> micros = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    micros.add(micros(
                            () -> assertThat(served(read(session, 1, level))).isEqualTo(Served.LOCAL)));
                }
                assertThat(median(micros))
                        .as("µs of a read at %s in %s, which waits for nobody", level, dc)
                        .isLessThan(millis(DELAY_MILLIS));
            }
        }
    }

    @Test
    @Order(3)
    void aSessionReadsItsOwnWriteOnceAllReplicasHaveToldOfTheTimeSince() {
        MeteorShowerSession session = session("eu");
        write(session, 2, "own", ConsistencyLevel.ONE);
        List<Long> waitedMicros = new ArrayList<>();
        List<Served> served = new ArrayList<>();
        // On a busy machine a read may begin so late that all have told by then: such ones are not looked at.
        for (int i = 0; i < ROUNDS && waitedMicros.size() < 5; i++) {
            String value = "own" + i;
            write(session, 2, value, ConsistencyLevel.ONE);
            long micros = micros(() -> {
                ResultSet rows = read(session, 2, ConsistencyLevel.QUORUM);
                assertThat(text(rows)).isEqualTo(value);
                served.add(served(rows));
            });
            if (served.get(i) == Served.WAITED) {
                waitedMicros.add(micros);
            }
        }
        assertThat(waitedMicros).as("reads that waited; served were %s", served).hasSize(5);
        // One way, and until the next message goes out; how much more is a matter of the machine.
        assertThat(median(waitedMicros))
                .as("µs until it is read, the median of %s", waitedMicros)
                .isGreaterThan(millis(0.8 * DELAY_MILLIS));
        assertThat(Collections.min(waitedMicros))
                .as("µs until it is read, the least of %s", waitedMicros)
                .isLessThan(millis(2 * DELAY_MILLIS));
    }

    @Test
    @Order(4)
    void sessionsThatWriteAtOneAndMoveSeeOneOrder() throws Exception {
        MovingSessions.checkOneOrder(cluster, "ones", ConsistencyLevel.ONE);
    }

    @Test
    @Order(5)
    void withANodeDownWritesGoOnAndNothingNewIsReadUntilItIsBack() throws Exception {
        MeteorShowerSession session = session("eu");
        write(session, 3, "before", ConsistencyLevel.ONE);
        assertThat(text(read(session, 3, ConsistencyLevel.QUORUM))).isEqualTo("before");

        cluster.nodes().kill("asia-1");
        // What had been heard of asia until then still holds: a session that has seen no more may go on reading it.
        assertThat(text(read(session, 3, ConsistencyLevel.QUORUM))).isEqualTo("before");
        write(session, 3, "meanwhile", ConsistencyLevel.ONE);
        assertThatThrownBy(() -> read(session, 3, ConsistencyLevel.QUORUM)).isInstanceOf(ReadTimeoutException.class);
        assertThat(text(cluster.cql("eu").execute(select(3, ConsistencyLevel.ONE))))
                .as("Cassandra's own read")
                .isEqualTo("meanwhile");
        MeteorShowerSession other = session("us");
        write(other, 4, "of us", ConsistencyLevel.ONE);

        cluster.restart("asia-1");
        Waiting.until(SOON, () -> assertThat(text(read(session, 3, ConsistencyLevel.QUORUM)))
                .isEqualTo("meanwhile"));
        MeteorShowerSession there = session("asia");
        there.observe(session.token());
        there.observe(other.token());
        Waiting.until(SOON, () -> assertThat(text(read(there, 3, ConsistencyLevel.QUORUM)))
                .isEqualTo("meanwhile"));
        assertThat(text(read(there, 4, ConsistencyLevel.QUORUM))).isEqualTo("of us");
    }

    private static MeteorShowerSession session(String... dcs) {
        var builder = MeteorShowerSession.builder().requireServed(true);
        for (String dc : dcs) {
            builder.dataCentre(dc, cluster.cql(dc));
        }
        return builder.build();
    }

    private static ResultSet write(MeteorShowerSession session, int id, String value, ConsistencyLevel level) {
        return session.execute(SimpleStatement.newInstance("INSERT INTO faults.ones (id, v) VALUES (?, ?)", id, value)
                .setConsistencyLevel(level));
    }

    private static ResultSet read(MeteorShowerSession session, int id, ConsistencyLevel level) {
        return session.execute(select(id, level));
    }

    private static SimpleStatement select(int id, ConsistencyLevel level) {
        return SimpleStatement.newInstance("SELECT v FROM faults.ones WHERE id = ?", id)
                .setConsistencyLevel(level);
    }

    private static String text(ResultSet rows) {
        Row row = rows.one();
        return row == null ? null : row.getString(0);
    }

    private static Served served(ResultSet rows) {
        return ReadInfo.of(rows.getExecutionInfo()).orElseThrow().served();
    }

    private static long micros(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
    }

    private static long millis(double millis) {
        return Math.round(1_000 * millis);
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
