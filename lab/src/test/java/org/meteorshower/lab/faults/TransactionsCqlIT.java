/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.meteorshower.lab.cluster.ClusterOptions;

/** Transactions in CQL, by the Java driver, on three real nodes in three data centres. Each test goes on from the last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TransactionsCqlIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String TRANSFER = """
            BEGIN TRANSACTION
              LET sender = (SELECT balance FROM faults.money WHERE id = ?);
              LET receiver = (SELECT balance FROM faults.money WHERE id = ?);
              SELECT sender.balance, receiver.balance;
              IF sender.balance >= :amount AND receiver IS NOT NULL THEN
                UPDATE faults.money SET balance -= :amount WHERE id = ?;
                UPDATE faults.money SET balance += :amount WHERE id = ?;
              END IF
            COMMIT TRANSACTION""";

    private static TestCluster cluster;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("meteorshower");
        cluster = TestCluster.start(
                "TransactionsCql",
                folder,
                ClusterOptions.builder().delaysMillis(List.of(20.0)).jitterMillis(0));
        cluster.createKeyspace();
        cluster.create("money", "id int PRIMARY KEY, balance int");
        cluster.create("log", "id int, at int, what text, tags set<text>, PRIMARY KEY (id, at)");
        cluster.create("apart", "id int PRIMARY KEY, v int");
        for (String table : List.of("money", "log")) {
            cluster.cql("eu")
                    .execute("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = 'faults'"
                            + " AND table_name = '" + table + "'");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        Files.delete(folder);
    }

    @Test
    @Order(1)
    void plainWritesAreTransactionsAtAnyLevel() throws Exception {
        for (int id = 1; id <= 3; id++) {
            int row = id;
            Waiting.until(
                    SOON,
                    () -> run(
                            "eu",
                            ConsistencyLevel.ONE,
                            "INSERT INTO faults.money (id, balance) VALUES (" + row + ", 100)"));
        }
        for (String dc : cluster.dcs()) {
            assertThat(balance(dc, 1)).isEqualTo(100);
        }
    }

    @Test
    @Order(2)
    void moneyMovesInPreparedTransactionsFromAllDataCentres() {
        int moved = 0;
        for (int i = 0; i < 20; i++) {
            for (String dc : cluster.dcs()) {
                CqlSession session = cluster.cql(dc);
                PreparedStatement transfer = session.prepare(TRANSFER);
                assertThat(transfer.getVariableDefinitions().get(2).getName().asInternal())
                        .isEqualTo("amount");
                Row row = session.execute(transfer.bind(1, 2, 3, 3, 1, 3, 2)).one();
                assertThat(row).isNotNull();
                assertThat(row.getInt("sender.balance")).isEqualTo(100 - moved);
                assertThat(row.getInt("receiver.balance")).isEqualTo(100 + moved);
                if (100 - moved >= 3) {
                    moved += 3;
                }
            }
        }
        assertThat(balance("us", 1)).isEqualTo(1);
        assertThat(balance("asia", 2)).isEqualTo(199);
    }

    @Test
    @Order(3)
    void transactionsSeeWhatTheyWriteAndChooseAmongBranches() {
        ResultSet rows = cluster.cql("us").execute("""
                BEGIN TRANSACTION
                  LET a = (SELECT * FROM faults.money WHERE id = 2);
                  IF a.balance IN (198, 199) OR a IS NULL THEN
                    INSERT INTO faults.log (id, at, what, tags) VALUES (1, 1, 'rich', {'x'});
                    UPDATE faults.money SET balance = a.balance * 2 WHERE id = 3;
                  ELSE
                    DELETE FROM faults.money WHERE id = 2;
                  END IF
                  UPDATE faults.log SET tags += {'y'} WHERE id = 1 AND at = 1;
                  SELECT what, tags FROM faults.log WHERE id = 1 AND at = 1;
                COMMIT TRANSACTION""");
        Row row = rows.one();
        assertThat(row.getString("what")).isEqualTo("rich");
        assertThat(row.getSet("tags", String.class)).containsExactlyInAnyOrder("x", "y");
        assertThat(balance("asia", 3)).isEqualTo(398);
    }

    @Test
    @Order(4)
    void conditionalWritesAndBatchesAreTransactions() {
        CqlSession session = cluster.cql("asia");
        assertThat(session.execute("INSERT INTO faults.money (id, balance) VALUES (3, 1) IF NOT EXISTS")
                        .one()
                        .getInt("balance"))
                .isEqualTo(398);
        assertThat(session.execute("UPDATE faults.money SET balance = 7 WHERE id = 3 IF balance = 398")
                        .wasApplied())
                .isTrue();
        PreparedStatement add = session.prepare("UPDATE faults.money SET balance = ? WHERE id = ?");
        session.execute(BatchStatement.newInstance(
                DefaultBatchType.LOGGED,
                add.bind(5, 4),
                SimpleStatement.newInstance("INSERT INTO faults.money (id, balance) VALUES (5, ?)", 6)));
        assertThat(balance("eu", 4) + balance("us", 5)).isEqualTo(11);
        assertThat(cluster.cql("us").execute(add.bind(9, 4)).wasApplied()).isTrue();
        assertThat(balance("eu", 4)).isEqualTo(9);
    }

    @Test
    @Order(5)
    void readsAreServedAsTheirLevelAsksOrRefused() throws Exception {
        for (ConsistencyLevel level : List.of(
                ConsistencyLevel.ONE,
                ConsistencyLevel.LOCAL_ONE,
                ConsistencyLevel.LOCAL_QUORUM,
                ConsistencyLevel.QUORUM,
                ConsistencyLevel.SERIAL,
                ConsistencyLevel.ALL)) {
            assertThat(run("eu", level, "SELECT balance FROM faults.money WHERE id = 3")
                            .one()
                            .getInt(0))
                    .isEqualTo(7);
        }
        Waiting.until(SOON, () -> assertThat(run("us", ConsistencyLevel.ONE, "SELECT * FROM faults.money")
                        .all())
                .hasSize(5));
        assertThatThrownBy(() -> run("us", ConsistencyLevel.QUORUM, "SELECT * FROM faults.money"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("read at ONE");
        assertThatThrownBy(() -> run("us", ConsistencyLevel.QUORUM, "TRUNCATE faults.money"))
                .isInstanceOf(InvalidQueryException.class);
        long[] micros = new long[50];
        for (int i = 0; i < micros.length; i++) {
            long begun = System.nanoTime();
            run("us", ConsistencyLevel.LOCAL_ONE, "SELECT balance FROM faults.money WHERE id = 3");
            micros[i] = (System.nanoTime() - begun) / 1_000;
        }
        java.util.Arrays.sort(micros);
        System.out.printf("transactions in CQL: a snapshot of one row takes %d us (p50 of 50)%n", micros[25]);
        assertThat(micros[25]).isLessThan(20_000);
    }

    @Test
    @Order(6)
    void errorsAreOnesThatDriversKnow() {
        CqlSession session = cluster.cql("eu");
        assertThatThrownBy(() -> session.execute(
                        "BEGIN TRANSACTION UPDATE faults.apart SET v = 1 WHERE id = 1; COMMIT TRANSACTION"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("SET transactions = true");
        assertThatThrownBy(() -> session.execute(
                        "BEGIN TRANSACTION UPDATE faults.money SET balance = 1 / 0 WHERE id = 1; COMMIT TRANSACTION"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("zero");
        assertThatThrownBy(() -> session.prepare("BEGIN TRANSACTION SELECT x.y; COMMIT TRANSACTION"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("no LET");
    }

    @Test
    @Order(7)
    void aKeyspaceThatIsUsedIsUsed() {
        try (CqlSession session = cluster.connector("us").withKeyspace("faults").build()) {
            String text = "BEGIN TRANSACTION UPDATE money SET balance = balance + ? WHERE id = 3; COMMIT TRANSACTION";
            session.execute(SimpleStatement.newInstance(text, 1));
            session.execute(session.prepare(text).bind(1));
        }
        assertThat(balance("us", 3)).isEqualTo(9);
    }

    @Test
    @Order(8)
    void preparedTransactionsArePreparedAgainAfterARestart() throws Exception {
        CqlSession session = cluster.cql("asia");
        PreparedStatement transfer = session.prepare(TRANSFER);
        cluster.nodes().kill("asia-1");
        cluster.restart("asia-1");
        List<Integer> before = new ArrayList<>();
        Waiting.until(SOON, () -> {
            before.clear();
            before.add(session.execute(transfer.bind(3, 1, 1, 1, 3, 1, 1)).one().getInt("sender.balance"));
        });
        assertThat(before.get(0)).isLessThanOrEqualTo(9);
    }

    private static ResultSet run(String dc, ConsistencyLevel level, String text) {
        return cluster.cql(dc).execute(SimpleStatement.newInstance(text).setConsistencyLevel(level));
    }

    private static int balance(String dc, int id) {
        return run(dc, ConsistencyLevel.QUORUM, "SELECT balance FROM faults.money WHERE id = " + id)
                .one()
                .getInt(0);
    }
}
