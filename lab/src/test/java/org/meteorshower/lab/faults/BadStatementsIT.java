/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that an enabled table does not take, and those that it must go on taking. */
@ExtendWith(OneNode.class)
final class BadStatementsIT {
    private static final long DAY_MICROS = 86_400_000_000L;

    private static TestCluster cluster;
    private static CqlSession session;

    @BeforeAll
    static void tables() throws Exception {
        cluster = OneNode.cluster();
        session = cluster.cql(OneNode.DC);
        cluster.createEnabled("t", "id int PRIMARY KEY, v text, l list<int>");
        cluster.create("plain", "id int PRIMARY KEY, v text");
        write(1, "one");
        write(2, "two");
    }

    @Test
    void aTableWithCountersCannotBeEnabled() throws Exception {
        cluster.create("counted", "id int PRIMARY KEY, n counter");
        refused("INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('faults', 'counted')", "counters");
        session.execute("UPDATE faults.counted SET n = n + 1 WHERE id = 1");
        assertThat(session.execute("SELECT n FROM faults.counted WHERE id = 1")
                        .one()
                        .getLong(0))
                .isEqualTo(1);
    }

    @Test
    void whatIsNotThereCannotBeEnabled() {
        refused("INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('nowhere', 't')", "no keyspace");
        refused("INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('faults', 'none')", "no table");
        refused(
                "INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES ('faults', 'plain', 'w=2')",
                "w=majority");
        assertThatThrownBy(() -> session.execute(
                        "INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('system', 'local')"))
                .isInstanceOf(UnauthorizedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ANY", "ONE", "LOCAL_ONE", "TWO", "LOCAL_QUORUM"})
    void aWriteThatTooFewAcknowledgeIsRefused(String level) {
        SimpleStatement write = SimpleStatement.newInstance("INSERT INTO faults.t (id, v) VALUES (10, 'weak')")
                .setConsistencyLevel(DefaultConsistencyLevel.valueOf(level));
        assertThatThrownBy(() -> session.execute(write))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining(level)
                .hasMessageContaining("QUORUM")
                .hasMessageContaining("weak_writes: raise");
        assertThat(read(10)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO faults.t (id, v) VALUES (11, 'x') USING TIMESTAMP 99999999999999999",
                "UPDATE faults.t USING TIMESTAMP 1 SET v = 'x' WHERE id = 11",
                "DELETE FROM faults.t USING TIMESTAMP 99999999999999999 WHERE id = 11",
                "BEGIN BATCH USING TIMESTAMP 99999999999999999 INSERT INTO faults.t (id, v) VALUES (11, 'x') APPLY BATCH",
                "BEGIN BATCH INSERT INTO faults.t (id, v) VALUES (11, 'x') USING TIMESTAMP 99999999999999999 APPLY BATCH"
            })
    void aTimestampOfTheClientsIsRefused(String statement) {
        refused(statement, "Leave it out");
        assertThat(read(11)).isNull();
    }

    @Test
    void aTimestampThatADriverProposesHasNoEffect() {
        long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        session.execute(quorum("INSERT INTO faults.t (id, v) VALUES (12, 'from tomorrow')")
                .setQueryTimestamp(nowMicros + DAY_MICROS));
        assertThat(session.execute(quorum("SELECT WRITETIME(v) FROM faults.t WHERE id = 12"))
                        .one()
                        .getLong(0))
                .isBetween(nowMicros - DAY_MICROS / 2, nowMicros + DAY_MICROS / 2);
        session.execute(quorum("INSERT INTO faults.t (id, v) VALUES (12, 'from yesterday')")
                .setQueryTimestamp(nowMicros - DAY_MICROS));
        assertThat(read(12)).isEqualTo("from yesterday");
    }

    @Test
    void whatHasNoPlaceInTheOrderIsRefusedWithTheCure() {
        refused("INSERT INTO faults.t (id, v) VALUES (13, 'x') IF NOT EXISTS", "Leave out the condition");
        refused("UPDATE faults.t SET v = 'x' WHERE id = 1 IF v = 'one'", "Leave out the condition");
        refused("TRUNCATE faults.t", "Disable it");
        refused("UPDATE faults.t SET l[0] = 1 WHERE id = 1", "Write the whole list");
        refused(
                "BEGIN BATCH INSERT INTO faults.t (id, v) VALUES (13, 'x');"
                        + " INSERT INTO faults.plain (id, v) VALUES (13, 'x') USING TIMESTAMP 5; APPLY BATCH",
                "write it apart");
        assertThat(read(1)).isEqualTo("one");
        assertThat(read(13)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM faults.t",
                "SELECT count(*) FROM faults.t",
                "SELECT * FROM faults.t WHERE token(id) > 0",
                "SELECT * FROM faults.t WHERE v = 'one' ALLOW FILTERING"
            })
    void aScanIsRefusedAtQuorumAndServedByCassandraAtOne(String scan) {
        refused(scan, "must name their partitions");
        assertThatCode(() ->
                        session.execute(SimpleStatement.newInstance(scan).setConsistencyLevel(ConsistencyLevel.ONE)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(
            value = DefaultConsistencyLevel.class,
            names = {"ONE", "LOCAL_ONE", "LOCAL_QUORUM", "QUORUM", "ALL", "SERIAL", "LOCAL_SERIAL"})
    void readsAtEveryLevelGoOn(ConsistencyLevel level) {
        Row row = session.execute(SimpleStatement.newInstance("SELECT v FROM faults.t WHERE id = 1")
                        .setConsistencyLevel(level))
                .one();
        assertThat(row.getString(0)).isEqualTo("one");
    }

    @Test
    void severalPartitionsCanBeNamed() {
        assertThat(StreamSupport.stream(
                                session.execute(quorum("SELECT v FROM faults.t WHERE id IN (1, 2, 99)"))
                                        .spliterator(),
                                false)
                        .map(row -> row.getString(0)))
                .containsExactlyInAnyOrder("one", "two");
        session.execute(quorum("UPDATE faults.t SET v = 'both' WHERE id IN (21, 22)"));
        assertThat(List.of(read(21), read(22))).containsOnly("both");
        session.execute(quorum("BEGIN BATCH INSERT INTO faults.t (id, v) VALUES (23, 'b');"
                + " INSERT INTO faults.plain (id, v) VALUES (23, 'b'); APPLY BATCH"));
        assertThat(read(23)).isEqualTo("b");
    }

    private static void refused(String statement, String because) {
        assertThatThrownBy(() -> session.execute(quorum(statement)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("MeteorShower")
                .hasMessageContaining(because);
    }

    private static void write(int id, String value) {
        session.execute(quorum("INSERT INTO faults.t (id, v) VALUES (" + id + ", '" + value + "')"));
    }

    private static String read(int id) {
        Row row = session.execute(quorum("SELECT v FROM faults.t WHERE id = " + id))
                .one();
        return row == null ? null : row.getString(0);
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }
}
