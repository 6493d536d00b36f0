/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.LongTest;

/** Real nodes, one of whose clocks is a little more off than strict can stand. */
@LongTest
@ExtendWith(ThreeNodes.class)
final class ClocksIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String READ = "SELECT v FROM faults.timed WHERE id = 1";
    private static final String WRITE = "INSERT INTO faults.timed (id, v) VALUES (1, 1)";

    /** Too little for the hybrid clocks to be off, too: messages take 5 ms. */
    private static final double OFF_MILLIS = 6;

    private static TestCluster cluster;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("timed", "id int PRIMARY KEY, v int");
        ThreeNodes.assertServing("timed", "eu", "us", "asia");
    }

    @AfterEach
    void setRight() throws Exception {
        cluster.wan().clock("eu-1", 0);
        for (String dc : cluster.dcs()) {
            Waiting.until(LIMIT, () -> MeteorShowerSession.over(cluster.cql(dc)).execute(READ, ReadMode.STRICT));
        }
    }

    private static Row strict(String dc) {
        return cluster.cql(dc)
                .execute("SELECT available, why_not FROM meteorshower.modes WHERE mode = 'strict'")
                .one();
    }

    @Test
    void strictIsRefusedWithTheReasonAtThatNodeAndAtItsPeersAndTheRestIsServed() throws Exception {
        cluster.wan().clock("eu-1", OFF_MILLIS);

        for (String dc : cluster.dcs()) {
            MeteorShowerSession session = MeteorShowerSession.over(cluster.cql(dc));
            Waiting.until(LIMIT, () -> assertThatThrownBy(() -> session.execute(READ, ReadMode.STRICT))
                    .isInstanceOf(UnavailableException.class));
            assertThatThrownBy(() -> session.execute(WRITE, ReadMode.STRICT)).isInstanceOf(UnavailableException.class);
            session.execute(WRITE);
            assertThat(session.execute(READ).one().getInt(0)).isEqualTo(1);
            assertThat(strict(dc).getBoolean("available")).isFalse();
            assertThat(strict(dc).getString("why_not"))
                    .contains("the clock of", dc.equals("eu") ? "behind this node's" : "ahead of this node's")
                    .contains("clock_error_ms (5.0 ms)");
            assertThat(cluster.cql(dc)
                            .execute("SELECT last_message FROM meteorshower.refusals WHERE cause = 'clock'")
                            .all())
                    .anyMatch(row -> row.getString(0).contains("the clock of"));
        }
    }

    /** By more than ε, and less than what its hybrid clock would show. */
    @Test
    void aReadThatPromisesAnAgeKeepsItWhereItsNodesClockIsBehind() throws Exception {
        cluster.wan().clock("eu-1", -8);
        MeteorShowerSession session = MeteorShowerSession.over(cluster.cql("eu"));
        // The change is noticed within a second or two; before that there is nothing to see.
        Waiting.until(LIMIT, () -> assertThatThrownBy(() -> session.execute(READ, ReadMode.STRICT))
                .isInstanceOf(UnavailableException.class));

        for (int i = 0; i < 200; i++) {
            long beganMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            ResultSet result = session.execute(READ, ReadMode.METEORSHOWER1);
            long cutMicros =
                    ReadInfo.of(result.getExecutionInfo()).orElseThrow().cutMicros();
            assertThat(beganMicros - cutMicros).as("age of read " + i).isLessThanOrEqualTo(5_000);
        }
    }
}
