/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.checker.Model;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.Served;

/** A table of {@code strict=home}: strict reads by leases. */
@ExtendWith(ThreeNodes.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class StrictAtHomeIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static TestCluster cluster;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("homes", "id int PRIMARY KEY, v text", "strict=home");
    }

    @AfterAll
    static void asItWas() {
        cluster.wan().heal();
    }

    @Test
    @Order(1)
    void aRowAtRestIsReadAtHomeEverywhereAtOnce() throws Exception {
        MeteorShowerSession writer = session("eu");
        for (int value = 1; value <= 3; value++) {
            write(writer, 1, "v" + value);
            for (String dc : cluster.dcs()) {
                // Another session, that knows nothing of the write but that it ended before.
                assertThat(read(session(dc), 1).one().getString(0)).isEqualTo("v" + value);
            }
        }
        for (String dc : cluster.dcs()) {
            MeteorShowerSession session = session(dc);
            Waiting.until(SOON, () -> assertThat(look(session).served()).isEqualTo(Served.LOCAL));
        }
    }

    @Test
    @Order(2)
    void strictSessionsThatMoveAreLinearizable() throws Exception {
        MovingSessions.check(cluster, "homes", ConsistencyLevel.QUORUM, ReadMode.STRICT, Model.LINEARIZABLE);
    }

    @Test
    @Order(3)
    void aHolderThatIsCutOffHoldsWritersUpOnce() throws Exception {
        MeteorShowerSession session = session("eu");
        write(session, 2, "before");
        read(session("asia"), 2);
        cluster.wan().cut("asia", null, false);
        try {
            long longestNanos = 0;
            for (int i = 0; i < 40; i++) {
                long start = System.nanoTime();
                write(session, 2, "meanwhile" + i);
                longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                TimeUnit.MILLISECONDS.sleep(50);
            }
            System.out.println("homes: the longest write took " + longestNanos / 1_000_000 + " ms");
            long start = System.nanoTime();
            write(session, 2, "last");
            assertThat(System.nanoTime() - start).isLessThan(1_000_000_000);
            assertThat(read(session("us"), 2).one().getString(0)).isEqualTo("last");
        } finally {
            cluster.wan().heal();
        }
        Waiting.until(SOON, () -> assertThat(read(session("asia"), 2).one().getString(0))
                .isEqualTo("last"));
    }

    @Test
    @Order(4)
    void theOptionIsChosenWhenTheTableIsEnabled() {
        assertThatThrownBy(() -> options("strict=clocks"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("disable the table");
        assertThatThrownBy(() -> options("strict=home,w=one"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("strict=home needs");
    }

    @Test
    @Order(5)
    void whoIsNotToHoldIsServedByOneThatIsAndHoldsWhereNobodyElseDoes() throws Exception {
        MeteorShowerSession eu = session("eu");
        assertThatThrownBy(() -> options("strict=home,holders=eu+mars"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("mars")
                .hasMessageContaining("asia, eu, us");
        options("strict=home,holders=eu");
        for (String dc : List.of("us", "asia")) {
            MeteorShowerSession session = session(dc);
            Waiting.until(SOON, () -> assertThat(look(session).forwarded()).isTrue());
            write(session, 1, "from" + dc);
            assertThat(read(eu, 1).one().getString(0)).isEqualTo("from" + dc);
        }
        assertThat(look(eu).forwarded()).isFalse();
        cluster.wan().cut("eu", null, false);
        try {
            // What is under way when the holder goes may end unknown.
            Waiting.until(SOON, () -> assertThatCode(() -> write(session("us"), 1, "without"))
                    .doesNotThrowAnyException());
            Waiting.until(
                    SOON, () -> assertThat(look(session("us")).forwarded()).isFalse());
            assertThat(read(session("asia"), 1).one().getString(0)).isEqualTo("without");
        } finally {
            cluster.wan().heal();
        }
        options("strict=home");
        Waiting.until(SOON, () -> assertThat(look(session("asia")).forwarded()).isFalse());
    }

    private static ReadInfo look(MeteorShowerSession session) {
        return ReadInfo.of(read(session, 1).getExecutionInfo()).orElseThrow();
    }

    private static void options(String options) {
        cluster.cql("eu")
                .execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES ('faults',"
                        + " 'homes', '" + options + "')");
    }

    private static MeteorShowerSession session(String dc) {
        return MeteorShowerSession.builder()
                .requireServed(true)
                .dataCentre(dc, cluster.cql(dc))
                .build();
    }

    /** As a client does that knows nothing of modes. */
    private static void write(MeteorShowerSession session, int id, String value) {
        session.execute(SimpleStatement.newInstance("INSERT INTO faults.homes (id, v) VALUES (?, ?)", id, value)
                .setConsistencyLevel(ConsistencyLevel.QUORUM));
    }

    private static ResultSet read(MeteorShowerSession session, int id) {
        return session.execute(
                SimpleStatement.newInstance("SELECT v FROM faults.homes WHERE id = ?", id)
                        .setConsistencyLevel(ConsistencyLevel.QUORUM),
                ReadMode.STRICT);
    }
}
