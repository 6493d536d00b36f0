/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that moves between data centres, by itself or told to. */
class DataCentresTest {

    private static final String READ = "SELECT v FROM ks.t WHERE k = 1";
    private static final String WRITE = "INSERT INTO ks.t (k, v) VALUES (1, 'a')";

    private final AtomicLong cut = new AtomicLong(100);
    private FakeDataCentre eu;
    private FakeDataCentre us;

    @BeforeEach
    void start() {
        eu = new FakeDataCentre("eu", 2).behave(asked -> Reply.row("eu").atCut(cut.incrementAndGet()));
        us = new FakeDataCentre("us", 1).behave(asked -> Reply.row("us").atCut(cut.incrementAndGet()));
    }

    @AfterEach
    void stop() {
        eu.close();
        us.close();
    }

    private MeteorShowerSession session(boolean failover) {
        return MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .dataCentre(us.cql)
                .failover(failover)
                .build();
    }

    @Test
    void aSessionThatIsToldToMoveTakesItsTokenAlong() {
        MeteorShowerSession session = session(false);
        session.execute(WRITE);
        session.moveTo("us");
        assertThat(session.execute(READ).one().getString("v")).isEqualTo("us");
        assertThat(us.asked().get(0).token()).isEqualTo(Tokens.at(101));
        assertThat(session.dataCentre()).isEqualTo("us");
    }

    @Test
    void aDeadCoordinatorDoesNotEndTheSessionNorItsOrder() {
        MeteorShowerSession session = session(false);
        session.execute(WRITE);
        eu.kill("eu-1");
        for (int i = 0; i < 20; i++) {
            assertThat(session.execute(READ).one().getString("v")).isEqualTo("eu");
        }
        assertThat(session.token()).isEqualTo(Tokens.at(cut.get()));
    }

    @Test
    void aSessionGoesOnInTheNextDataCentreWhenItsOwnIsGone() {
        MeteorShowerSession session = session(true);
        session.execute(WRITE);
        eu.killAll();
        assertThat(session.execute(READ).one().getString("v")).isEqualTo("us");
        assertThat(us.asked().get(0).token()).isEqualTo(Tokens.at(101));
        assertThat(session.dataCentre()).isEqualTo("us");
        session.execute(WRITE);
        assertThat(us.asked()).hasSize(2);
    }

    @Test
    void withoutFailoverASessionStaysAndSaysThatNobodyIsThere() {
        MeteorShowerSession session = session(false);
        eu.killAll();
        assertThatThrownBy(() -> session.execute(READ)).isInstanceOf(NoNodeAvailableException.class);
        assertThat(us.asked()).isEmpty();
    }

    @Test
    void aReadThatTimesOutInACutOffDataCentreIsAnsweredByTheNext() {
        eu.behave(asked -> Reply.readTimeout());
        MeteorShowerSession session = session(true);
        assertThat(session.execute(READ).one().getString("v")).isEqualTo("us");
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void anUnknownWriteNeverGoesToAnotherDataCentre() {
        eu.behave(asked -> Reply.writeTimeout());
        assertThatThrownBy(() -> session(true).execute(WRITE))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasRootCauseInstanceOf(WriteTimeoutException.class);
        assertThat(us.asked()).isEmpty();
    }

    @Test
    void aLocalConsistencyLevelKeepsAStatementInItsDataCentre() {
        eu.killAll();
        SimpleStatement local =
                SimpleStatement.newInstance(READ).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);
        assertThatThrownBy(() -> session(true).execute(local)).isInstanceOf(NoNodeAvailableException.class);
        assertThat(us.asked()).isEmpty();
    }

    @Test
    void aStatementPreparedInOneDataCentreRunsInTheOther() {
        var select = eu.cql.prepare("SELECT v FROM ks.t WHERE k = ?");
        var insert = eu.cql.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)");
        MeteorShowerSession session = session(false);
        session.moveTo("us");
        assertThat(session.execute(select.bind("1")).one().getString("v")).isEqualTo("us");
        session.execute(BatchStatement.newInstance(BatchType.LOGGED, insert.bind("1", "a"), insert.bind("2", "b")));
        assertThat(us.asked()).hasSize(2);
    }

    @Test
    void twoDataCentresOfOneNameAreRefused() {
        assertThatThrownBy(
                        () -> MeteorShowerSession.builder().dataCentre(eu.cql).dataCentre("eu", us.cql))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"eu\" is there already");
        assertThatThrownBy(() -> MeteorShowerSession.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dataCentre(cqlSession)");
    }
}
