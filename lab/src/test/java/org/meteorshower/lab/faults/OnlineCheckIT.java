/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.lab.LongTest;

/**
 * The online checker of real nodes: switched on while they run, it judges what they answer, and finds nothing wrong.
 */
@LongTest
@ExtendWith(ThreeNodes.class)
final class OnlineCheckIT {
    /** Ten seconds pass before all can be judged, and five before a read is. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final int ROWS = 4;
    private static final int ENOUGH = 100;
    private static TestCluster cluster;

    @BeforeAll
    static void enable() throws Exception {
        cluster = ThreeNodes.cluster();
        cluster.createEnabled("checked", "id int PRIMARY KEY, v int, w int");
        ThreeNodes.assertServing("checked", "eu", "us", "asia");
        share(1);
    }

    @AfterAll
    static void switchOff() {
        share(0);
    }

    private static void share(double share) {
        for (String dc : cluster.dcs()) {
            cluster.cql(dc).execute("UPDATE meteorshower.online_check SET share = " + share + " WHERE node = 'here'");
        }
    }

    @Test
    void readsOfAllNodesAreJudgedAndNoneIsWrong() throws Exception {
        List<MeteorShowerSession> sessions = new ArrayList<>();
        cluster.dcs().forEach(dc -> sessions.add(MeteorShowerSession.over(cluster.cql(dc))));
        Waiting.until(LIMIT, () -> {
            for (int i = 0; i < 50; i++) {
                for (MeteorShowerSession session : sessions) {
                    session.execute("UPDATE faults.checked SET v = " + i + " WHERE id = " + i % ROWS);
                    session.execute("SELECT v, w FROM faults.checked WHERE id = " + (i + 1) % ROWS);
                    session.execute("SELECT * FROM faults.checked WHERE id = " + i % ROWS);
                }
                sessions.get(i % 3).execute("UPDATE faults.checked SET w = " + i + " WHERE id = " + i % ROWS);
                sessions.get(i % 3).execute("DELETE v FROM faults.checked WHERE id = " + (i + 2) % ROWS);
            }
            for (String dc : cluster.dcs()) {
                Row row = figures(dc);
                System.out.println("online checker at " + dc + ": " + row.getFormattedContents());
                assertThat(row.getLong("judged")).as(dc).isGreaterThan(ENOUGH);
            }
        });
        for (String dc : cluster.dcs()) {
            CqlSession cql = cluster.cql(dc);
            assertThat(cql.execute("SELECT * FROM meteorshower.violations").all())
                    .isEmpty();
            Row row = figures(dc);
            assertThat(row.getLong("violations")).isZero();
            assertThat(row.getLong("dropped")).isZero();
            assertThat(row.getDouble("share")).isEqualTo(1);
        }
    }

    @Test
    void aShareThatIsNoneIsRefused() {
        assertThatThrownBy(() -> share(1.5))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("0 (off) to 1");
    }

    private static Row figures(String dc) {
        return cluster.cql(dc)
                .execute("SELECT * FROM meteorshower.online_check")
                .one();
    }
}
