/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Options are changed while the node runs, by who may. */
@ExtendWith(OneNode.class)
final class SettingsIT {
    private static final SimpleStatement WEAK_WRITE = SimpleStatement.newInstance(
                    "INSERT INTO faults.tuned (id, v) VALUES (1, 'weak')")
            .setConsistencyLevel(ConsistencyLevel.ONE);

    private static TestCluster cluster;
    private static CqlSession owner;

    @BeforeAll
    static void table() throws Exception {
        cluster = OneNode.cluster();
        owner = cluster.cql(OneNode.DC);
        cluster.createEnabled("tuned", "id int PRIMARY KEY, v text");
    }

    @AfterEach
    void takeBack() {
        for (Row row : owner.execute("SELECT name, changed FROM meteorshower.settings")) {
            if (row.getBoolean("changed")) {
                owner.execute("DELETE FROM meteorshower.settings WHERE name = '" + row.getString("name") + "'");
            }
        }
    }

    private static ResultSet set(CqlSession session, String name, String value) {
        return session.execute("UPDATE meteorshower.settings SET value = '" + value + "' WHERE name = '" + name + "'");
    }

    @Test
    void aChangeIsInForceAtOnceAndShownAndWarnsThatItIsNotKept() {
        assertThatThrownBy(() -> owner.execute(WEAK_WRITE)).isInstanceOf(InvalidQueryException.class);

        ResultSet answer = set(owner, "weak_writes", "raise");

        assertThat(answer.getExecutionInfo().getWarnings())
                .anyMatch(warning ->
                        warning.contains("'weak_writes: raise'") && warning.contains("until its next start"));
        owner.execute(WEAK_WRITE);
        Row row = owner.execute("SELECT * FROM meteorshower.settings WHERE name = 'weak_writes'")
                .one();
        assertThat(row.getString("value")).isEqualTo("raise");
        assertThat(row.getString("at_start")).isEqualTo("refuse");
        assertThat(row.getBoolean("changed")).isTrue();

        owner.execute("DELETE FROM meteorshower.settings WHERE name = 'weak_writes'");
        assertThatThrownBy(() -> owner.execute(WEAK_WRITE)).isInstanceOf(InvalidQueryException.class);
    }

    @Test
    void theCoreAndTheJournalGoByItToo() {
        set(owner, "max_records", "12345");
        set(owner, "journal.max_mb", "8000");

        Row node = owner.execute("SELECT max_records, journal_limit_bytes FROM meteorshower.node")
                .one();

        assertThat(((Number) node.getObject("max_records")).longValue()).isEqualTo(12_345);
        assertThat(node.getLong("journal_limit_bytes")).isEqualTo(8_000L << 20);
    }

    @Test
    void whatMakesNoSenseIsRefusedAsInTheFile() {
        assertThatThrownBy(() -> set(owner, "redundancy", "99"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("option 'redundancy' is '99', and must be a number from 0 to 8");
        assertThatThrownBy(() -> set(owner, "history", "false"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("takes a restart");
    }

    @Test
    void itTakesThePermissionToAlterEverything() {
        owner.execute("CREATE ROLE IF NOT EXISTS tuner WITH PASSWORD = 'tuner' AND LOGIN = true");
        owner.execute("GRANT MODIFY ON meteorshower.settings TO tuner");
        owner.execute("GRANT SELECT ON meteorshower.settings TO tuner");
        try (CqlSession tuner = cluster.connector(OneNode.DC)
                .withAuthCredentials("tuner", "tuner")
                .build()) {
            assertThatThrownBy(() -> set(tuner, "redundancy", "2"))
                    .isInstanceOf(UnauthorizedException.class)
                    .hasMessageContaining("ALTER");
            assertThatThrownBy(() -> tuner.execute("DELETE FROM meteorshower.settings WHERE name = 'redundancy'"))
                    .isInstanceOf(UnauthorizedException.class);
            owner.execute("GRANT ALTER ON ALL KEYSPACES TO tuner");
            set(tuner, "redundancy", "2");
        }
    }
}
