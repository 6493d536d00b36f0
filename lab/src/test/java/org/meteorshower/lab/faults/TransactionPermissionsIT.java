/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What takes part in transactions is as closed to those without permission as any other table, and so is what
 * MeteorShower shows of itself.
 */
@ExtendWith(OneNode.class)
final class TransactionPermissionsIT {
    private static final String SESSION = "meteorshower.transactions.session";
    private static final String SEQUENCE = "meteorshower.transactions.sequence";
    private static final int SECRET = 770_077;

    private static TestCluster cluster;
    private static CqlSession owner;
    private static CqlSession visitor;

    @BeforeAll
    static void roles() throws Exception {
        cluster = OneNode.cluster();
        owner = cluster.cql(OneNode.DC);
        cluster.create("vault", "id int PRIMARY KEY, v int, w int, l list<int>");
        cluster.create("mine", "id int PRIMARY KEY, v int");
        for (String table : List.of("vault", "mine")) {
            owner.execute("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = 'faults'"
                    + " AND table_name = '" + table + "'");
        }
        Waiting.until(
                Duration.ofSeconds(30),
                () -> owner.execute("INSERT INTO faults.vault (id, v, w) VALUES (1, " + SECRET + ", 0)"));
        owner.execute("CREATE ROLE visitor WITH PASSWORD = 'visitor' AND LOGIN = true");
        owner.execute("GRANT SELECT ON faults.mine TO visitor");
        owner.execute("GRANT MODIFY ON faults.mine TO visitor");
        visitor = cluster.connector(OneNode.DC)
                .withAuthCredentials("visitor", "visitor")
                .build();
    }

    @AfterEach
    void nothingWasChanged() {
        owner.execute("REVOKE ALL ON faults.vault FROM visitor");
        Row row = owner.execute("SELECT v, w FROM faults.vault WHERE id = 1").one();
        assertThat(row.getInt("v")).isEqualTo(SECRET);
        assertThat(row.getInt("w")).isZero();
    }

    @AfterAll
    static void leave() {
        if (visitor != null) {
            visitor.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM faults.vault WHERE id = 1",
                "BEGIN TRANSACTION SELECT v FROM faults.vault WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1); SELECT a.v; COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                        + " UPDATE faults.mine SET v = a.v WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                        + " IF a.v > 5 THEN UPDATE faults.mine SET v = 1 WHERE id = 1; END IF COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                        + " IF a IS NULL THEN UPDATE faults.mine SET v = 1 WHERE id = 1; END IF COMMIT TRANSACTION",
            })
    void withoutSelectNothingIsRead(String statement) {
        owner.execute("GRANT MODIFY ON faults.vault TO visitor");
        refusedInEveryWay(statement, "SELECT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO faults.vault (id, v) VALUES (1, 0)",
                "UPDATE faults.vault SET v = 0 WHERE id = 1",
                "UPDATE faults.vault SET v = 0 WHERE id = 1 IF EXISTS",
                "DELETE FROM faults.vault WHERE id = 1",
                "DELETE v FROM faults.vault WHERE id = 1",
                "TRUNCATE faults.vault",
                "BEGIN BATCH UPDATE faults.mine SET v = 0 WHERE id = 1; UPDATE faults.vault SET v = 0 WHERE id = 1; APPLY BATCH",
                "BEGIN TRANSACTION UPDATE faults.vault SET v = 0 WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION DELETE FROM faults.vault WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.mine WHERE id = 1);"
                        + " IF a.v = -1 THEN INSERT INTO faults.vault (id, v) VALUES (1, 0); END IF COMMIT TRANSACTION",
            })
    void withoutModifyNothingIsWritten(String statement) {
        owner.execute("GRANT SELECT ON faults.vault TO visitor");
        assertThat(visitor.execute("SELECT v FROM faults.vault WHERE id = 1")
                        .one()
                        .getInt(0))
                .isEqualTo(SECRET);
        refusedInEveryWay(statement, "MODIFY");
    }

    /** Whether such a statement fails, or is applied, tells what the row holds: one question after the other. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN TRANSACTION UPDATE faults.vault SET w = 1 / (v - 770077) WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION UPDATE faults.vault SET w = w + 1 WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION UPDATE faults.vault SET w += 1 WHERE id = 1; COMMIT TRANSACTION",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.mine WHERE id = 1); IF a IS NULL THEN"
                        + " UPDATE faults.vault SET w = v - 2147483647 WHERE id = 1; END IF COMMIT TRANSACTION",
                "UPDATE faults.vault SET w = 1 WHERE id = 1 IF v = 5",
                "UPDATE faults.vault SET w = 1 WHERE id = 404 IF EXISTS",
                "INSERT INTO faults.vault (id, w) VALUES (1, 1) IF NOT EXISTS",
                "DELETE FROM faults.vault WHERE id = 1 IF v = 5",
            })
    void whoMayOnlyWriteDoesNotFindOutWhatIsThere(String statement) {
        owner.execute("GRANT MODIFY ON faults.vault TO visitor");
        refusedInEveryWay(statement, "SELECT");
    }

    @Test
    void whoMayOnlyWriteDoesWrite() {
        owner.execute("GRANT MODIFY ON faults.vault TO visitor");
        visitor.execute("INSERT INTO faults.vault (id, v) VALUES (2, 2)");
        visitor.execute("UPDATE faults.vault SET l = l + [3], v = 3 WHERE id = 2");
        visitor.execute("BEGIN TRANSACTION LET a = (SELECT v FROM faults.mine WHERE id = 404);"
                + " UPDATE faults.vault SET v = 4 WHERE id = 2; IF a IS NULL THEN DELETE v FROM faults.vault WHERE id = 3;"
                + " END IF COMMIT TRANSACTION");
        assertThat(owner.execute("SELECT v FROM faults.vault WHERE id = 2")
                        .one()
                        .getInt(0))
                .isEqualTo(4);
    }

    @Test
    void nobodyReadsWhatCameOfAnothersTransactionByItsNumber() {
        String session = owner.execute("OPEN TRANSACTION SESSION").one().getString("session");
        String text = "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                + " UPDATE faults.mine SET v = 1 WHERE id = 9; SELECT a.v; COMMIT TRANSACTION";
        Map<String, ByteBuffer> number = numbered(session, 1);
        assertThat(owner.execute(SimpleStatement.newInstance(text).setCustomPayload(number))
                        .one()
                        .getInt(0))
                .isEqualTo(SECRET);
        owner.execute("GRANT SELECT ON faults.vault TO visitor");
        for (String statement : List.of(
                text,
                "BEGIN TRANSACTION UPDATE faults.mine SET v = 1 WHERE id = 9; COMMIT TRANSACTION",
                "OPEN TRANSACTION SESSION",
                "RESOLVE TRANSACTION 1 OF SESSION '" + session + "'")) {
            assertThatThrownBy(() -> visitor.execute(
                            SimpleStatement.newInstance(statement).setCustomPayload(number)))
                    .isInstanceOf(InvalidQueryException.class)
                    .hasMessageContaining("another role");
        }
        assertThatThrownBy(() -> visitor.execute("RESOLVE TRANSACTION 2 OF SESSION '" + session + "'"))
                .hasMessageContaining("another role");
    }

    @Test
    void whoMayNotReadAnyMoreIsNotToldAgainWhatItRead() {
        owner.execute("GRANT SELECT ON faults.vault TO visitor");
        String session = visitor.execute("OPEN TRANSACTION SESSION").one().getString("session");
        SimpleStatement transaction = SimpleStatement.newInstance(
                        "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                                + " UPDATE faults.mine SET v = 1 WHERE id = 9; SELECT a.v; COMMIT TRANSACTION")
                .setCustomPayload(numbered(session, 1));
        assertThat(visitor.execute(transaction).one().getInt(0)).isEqualTo(SECRET);
        assertThat(visitor.execute(transaction).one().getInt(0)).isEqualTo(SECRET);
        owner.execute("REVOKE SELECT ON faults.vault FROM visitor");
        unauthorized(transaction, "SELECT");
    }

    /** As Cassandra's functions: of the keyspace. And a procedure lets nobody do what its statements would not. */
    @Test
    void proceduresTakeThePermissionsOfFunctionsAndOfTheirStatements() {
        String create =
                "CREATE PROCEDURE faults.spy VERSION 1 AS 'BEGIN TRANSACTION LET a = (SELECT v FROM vault WHERE id"
                        + " = :id); SELECT a.v; COMMIT TRANSACTION'";
        unauthorized(SimpleStatement.newInstance(create), "CREATE");
        owner.execute(create);
        SimpleStatement call = SimpleStatement.newInstance("CALL faults.spy VERSION 1 (1)");
        unauthorized(call, "EXECUTE");
        unauthorized(SimpleStatement.newInstance("CALL faults.unknown VERSION 1 (1)"), "EXECUTE");
        assertThatThrownBy(() -> visitor.prepare(call)).isInstanceOf(UnauthorizedException.class);
        owner.execute("GRANT EXECUTE ON ALL FUNCTIONS IN KEYSPACE faults TO visitor");
        refusedInEveryWay("CALL faults.spy VERSION 1 (1)", "SELECT");
        owner.execute("GRANT SELECT ON faults.vault TO visitor");
        PreparedStatement prepared = visitor.prepare(call);
        assertThat(visitor.execute(call).one().getInt(0)).isEqualTo(SECRET);
        assertThat(visitor.execute(prepared.bind()).one().getInt(0)).isEqualTo(SECRET);
        owner.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN KEYSPACE faults FROM visitor");
        unauthorized(prepared.bind(), "EXECUTE");
        unauthorized(SimpleStatement.newInstance("DROP PROCEDURE faults.spy VERSION 1"), "DROP");
        assertThat(owner.execute(call).one().getInt(0)).isEqualTo(SECRET);
        assertThatThrownBy(() -> owner.prepare("DROP PROCEDURE faults.spy VERSION 1"))
                .hasMessageContaining("not prepared");
        owner.execute("DROP PROCEDURE faults.spy VERSION 1");
    }

    @Test
    void whatMeteorShowerShowsAndKeepsIsShownToNobodyWhoWasNotLet() {
        int tables = 0;
        for (String schema : List.of("system_virtual_schema", "system_schema")) {
            for (Row table : owner.execute("SELECT keyspace_name, table_name FROM " + schema + ".tables")) {
                String keyspace = table.getString(0);
                if (keyspace.equals("meteorshower") || keyspace.startsWith("meteorshower_")) {
                    unauthorized(
                            SimpleStatement.newInstance("SELECT * FROM " + keyspace + "." + table.getString(1)),
                            "SELECT");
                    tables++;
                }
            }
        }
        assertThat(tables).isGreaterThan(15);
        unauthorized(
                SimpleStatement.newInstance("UPDATE meteorshower.left_behind SET state = 'repairing'"
                        + " WHERE host_id = 00000000-0000-0000-0000-000000000001"),
                "MODIFY");
        unauthorized(
                SimpleStatement.newInstance("UPDATE meteorshower.tables SET transactions = false WHERE keyspace_name ="
                        + " 'faults' AND table_name = 'mine'"),
                "MODIFY");
        owner.execute("GRANT MODIFY ON meteorshower.tables TO visitor");
        owner.execute("GRANT MODIFY ON meteorshower.left_behind TO visitor");
        try {
            unauthorized(
                    SimpleStatement.newInstance("UPDATE meteorshower.left_behind SET state = 'repairing'"
                            + " WHERE host_id = 00000000-0000-0000-0000-000000000001"),
                    "ALTER");
            unauthorized(
                    SimpleStatement.newInstance("UPDATE meteorshower.tables SET transactions = false WHERE"
                            + " keyspace_name = 'faults' AND table_name = 'vault'"),
                    "ALTER");
            unauthorized(
                    SimpleStatement.newInstance("DELETE FROM meteorshower.tables WHERE keyspace_name = 'faults'"
                            + " AND table_name = 'vault'"),
                    "ALTER");
            unauthorized(
                    SimpleStatement.newInstance("UPDATE meteorshower.tables SET baseline = 'confirmed' WHERE"
                            + " keyspace_name = 'faults' AND table_name = '*'"),
                    "ALTER");
        } finally {
            owner.execute("REVOKE MODIFY ON meteorshower.tables FROM visitor");
            owner.execute("REVOKE MODIFY ON meteorshower.left_behind FROM visitor");
        }
    }

    /** Cassandra lets everybody read traces. */
    @Test
    void tracesOfMeteorShowersHoldNoValues() throws Exception {
        for (String statement : List.of(
                "SELECT v FROM faults.vault WHERE id = 1",
                "BEGIN TRANSACTION LET a = (SELECT v FROM faults.vault WHERE id = 1);"
                        + " UPDATE faults.mine SET v = a.v WHERE id = 9; SELECT a.v; COMMIT TRANSACTION")) {
            var info = owner.execute(SimpleStatement.newInstance(statement)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM)
                            .setTracing(true))
                    .getExecutionInfo();
            Waiting.until(Duration.ofSeconds(20), () -> assertThat(
                            info.getQueryTrace().getEvents())
                    .anyMatch(event -> String.valueOf(event.getActivity()).startsWith("MeteorShower")));
            assertThat(info.getQueryTrace().getEvents())
                    .filteredOn(event -> String.valueOf(event.getActivity()).contains("MeteorShower"))
                    .noneMatch(event -> event.getActivity().contains(Integer.toString(SECRET)));
        }
    }

    /** As text, prepared, as a part of a batch, and with each payload that changes how it is run. */
    private static void refusedInEveryWay(String statement, String permission) {
        SimpleStatement text = SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.QUORUM);
        unauthorized(text, permission);
        unauthorized(text.setConsistencyLevel(ConsistencyLevel.ONE), permission);
        unauthorized(text.setCustomPayload(Map.of("meteorshower.transactions.mode", bytes("snapshot"))), permission);
        unauthorized(
                text.setCustomPayload(Map.of("meteorshower.transactions.token", ByteBuffer.allocate(0))), permission);
        String session = visitor.execute("OPEN TRANSACTION SESSION").one().getString("session");
        unauthorized(text.setCustomPayload(numbered(session, 1)), permission);
        unauthorized(visitor.prepare(text).bind(), permission);
        if (statement.matches("(?s)(INSERT|UPDATE|DELETE).*") && !statement.contains(" IF ")) {
            unauthorized(
                    BatchStatement.newInstance(DefaultBatchType.LOGGED, SimpleStatement.newInstance(statement)),
                    permission);
        }
    }

    private static void unauthorized(Statement<?> statement, String permission) {
        assertThatThrownBy(() -> visitor.execute(statement))
                .isInstanceOf(UnauthorizedException.class)
                .hasMessageContaining(permission);
    }

    private static Map<String, ByteBuffer> numbered(String session, long number) {
        return Map.of(
                SESSION,
                bytes(session),
                SEQUENCE,
                ByteBuffer.allocate(Long.BYTES).putLong(0, number));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
