/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Call before statement before profile before the session's default. */
class ModeResolutionTest {

    private static final SimpleStatement READ = SimpleStatement.newInstance("SELECT v FROM ks.t WHERE k = 1");
    private static FakeDataCentre eu;

    @BeforeAll
    static void start() {
        eu = new FakeDataCentre("eu", 1, config -> config.startProfile("fresh")
                .withString(MeteorShowerOption.MODE, "meteorshower1")
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
                .startProfile("wrong")
                .withString(MeteorShowerOption.MODE, "fast"));
    }

    @AfterAll
    static void stop() {
        eu.close();
    }

    private final MeteorShowerSession session = MeteorShowerSession.builder()
            .dataCentre(eu.cql)
            .defaultMode(ReadMode.METEORSHOWER2)
            .build();

    private static Asked last() {
        return eu.asked().get(eu.asked().size() - 1);
    }

    @Test
    void theSessionsDefaultHoldsWhereNothingElseIsSaid() {
        session.execute(READ);
        assertThat(last().mode()).isEqualTo("meteorshower2");
    }

    @Test
    void theProfileGoesBeforeTheSessionsDefault() {
        session.execute(READ.setExecutionProfileName("fresh"));
        assertThat(last().mode()).isEqualTo("meteorshower1");
        session.execute(READ.setExecutionProfile(eu.cql.getContext().getConfig().getProfile("fresh")));
        assertThat(last().mode()).isEqualTo("meteorshower1");
    }

    @Test
    void theStatementGoesBeforeItsProfile() {
        session.execute(ReadMode.STRICT.on(READ.setExecutionProfileName("fresh")));
        assertThat(last().mode()).isEqualTo("strict");
    }

    @Test
    void theCallGoesBeforeTheStatement() {
        session.execute(ReadMode.STRICT.on(READ), ReadMode.bounded(Duration.ofMillis(7)));
        assertThat(last().mode()).isEqualTo("bounded:7000");
    }

    @Test
    void sequentialIsLeftOutSinceItIsTheCoordinatorsDefault() {
        session.execute(ReadMode.STRICT.on(READ), ReadMode.SEQUENTIAL);
        assertThat(last().payload()).doesNotContainKey(PayloadKeys.MODE);
    }

    @Test
    void aWrongModeInAProfileIsNamedWithItsProfileAndNothingIsSent() {
        int before = eu.asked().size();
        assertThatThrownBy(() -> session.execute(READ.setExecutionProfileName("wrong")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("meteorshower.mode of execution profile wrong")
                .hasMessageContaining("\"fast\"");
        assertThat(eu.asked()).hasSize(before);
    }

    @Test
    void theProfilesConsistencyLevelGoesBeforeQuorum() {
        session.execute(READ.setExecutionProfileName("fresh"));
        assertThat(last().consistency()).isEqualTo(ProtocolConstants.ConsistencyLevel.ALL);
    }
}
