/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.time.Duration;
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
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.lab.LongTest;

/** A table of {@code w=all}, that is (r, w) = (ONE, ALL): writes need all replicas, reads need no other. */
@LongTest
@ExtendWith(ThreeNodes.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class WriteAllIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static TestCluster cluster;

    @BeforeAll
    static void table() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("alls", "id int PRIMARY KEY, v text", "w=all");
    }

    @AfterAll
    static void asItWas() {
        cluster.wan().heal();
    }

    @Test
    @Order(1)
    void lessThanAllIsTooWeakForAWrite() {
        MeteorShowerSession session = session("eu");
        assertThatThrownBy(() -> write(session, 1, "weak", ConsistencyLevel.QUORUM))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("use ALL");
    }

    @Test
    @Order(2)
    void whatWasWrittenIsReadAtHomeEverywhere() throws Exception {
        write(session("eu"), 2, "everywhere", ConsistencyLevel.ALL);
        for (String dc : cluster.dcs()) {
            MeteorShowerSession session = session(dc);
            Waiting.until(SOON, () -> {
                ResultSet rows = read(session, 2);
                assertThat(rows.one().getString(0)).isEqualTo("everywhere");
                assertThat(ReadInfo.of(rows.getExecutionInfo()).orElseThrow().served())
                        .isEqualTo(Served.LOCAL);
            });
        }
    }

    @Test
    @Order(3)
    void sessionsThatWriteAtAllAndMoveSeeOneOrder() throws Exception {
        MovingSessions.checkOneOrder(cluster, "alls", ConsistencyLevel.ALL);
    }

    /** Nobody else is asked, and nothing that a write needs all for can have taken effect without this one. */
    @Test
    @Order(4)
    void aReplicaThatHearsNobodyServesReadsAndNothingIsWritten() throws Exception {
        MeteorShowerSession session = session("eu");
        write(session, 3, "before", ConsistencyLevel.ALL);
        assertThat(read(session, 3).one().getString(0)).isEqualTo("before");
        cluster.wan().cut("eu", null, false);
        try {
            // Nodes follow the network's file a little later.
            Waiting.until(SOON, () -> assertThatThrownBy(() -> write(session, 4, "elsewhere", ConsistencyLevel.ALL))
                    .isInstanceOfAny(UnknownOutcomeException.class, UnavailableException.class));
            assertThatThrownBy(() -> write(session, 3, "meanwhile", ConsistencyLevel.ALL))
                    .isInstanceOfAny(UnknownOutcomeException.class, UnavailableException.class);
            assertThat(read(session("eu"), 3).one().getString(0)).isEqualTo("before");
        } finally {
            cluster.wan().heal();
        }
        Waiting.until(SOON, () -> write(session, 3, "after", ConsistencyLevel.ALL));
        assertThat(read(session, 3).one().getString(0)).isEqualTo("after");
    }

    private static MeteorShowerSession session(String dc) {
        return MeteorShowerSession.builder()
                .requireServed(true)
                .dataCentre(dc, cluster.cql(dc))
                .build();
    }

    private static ResultSet write(MeteorShowerSession session, int id, String value, ConsistencyLevel level) {
        return session.execute(SimpleStatement.newInstance("INSERT INTO faults.alls (id, v) VALUES (?, ?)", id, value)
                .setConsistencyLevel(level));
    }

    private static ResultSet read(MeteorShowerSession session, int id) {
        return session.execute(SimpleStatement.newInstance("SELECT v FROM faults.alls WHERE id = ?", id)
                .setConsistencyLevel(ConsistencyLevel.QUORUM));
    }
}
