/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.client.transactions.RowQuery.select;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.client.SessionToken;
import org.meteorshower.client.TransactionId;
import org.meteorshower.client.TransactionOutcome;
import org.meteorshower.client.TransactionResult;
import org.meteorshower.client.transactions.Change;
import org.meteorshower.client.transactions.Condition;
import org.meteorshower.client.transactions.Expr;
import org.meteorshower.client.transactions.Procedure;
import org.meteorshower.client.transactions.TransactionStatement;

/**
 * What clients of transactions count on, on the nodes of a cluster: the Java client, and the plain driver. Rows of
 * faults.accounts.
 */
final class TransactionClients {
    private static final String ACCOUNTS = "faults.accounts";

    private TransactionClients() {}

    private static MeteorShowerTransactions transactions(TestCluster cluster, String dc) {
        return MeteorShowerTransactions.over(MeteorShowerSession.over(cluster.cql(dc)));
    }

    private static Change put(int id, int value) {
        return Change.insertInto(ACCOUNTS).value("id", id).value("v", value);
    }

    /** A transfer that goes on while there is enough on the first account, and then tells that it did not. */
    static void transferFromAllDataCentres(TestCluster cluster) {
        transactions(cluster, "eu")
                .execute(TransactionStatement.builder()
                        .change(put(1, 5), put(2, 0))
                        .build());
        TransactionStatement transfer = TransactionStatement.builder()
                .let("a", select("v").from(ACCOUNTS).where("id", 1))
                .let("b", select("v").from(ACCOUNTS).where("id", 2))
                .returning("a.v", "b.v")
                .when(Expr.of("a.v").isAtLeast(1).and(Condition.exists("b")))
                .then(
                        Change.update(ACCOUNTS).subtract("v", 1).where("id", 1),
                        Change.update(ACCOUNTS).add("v", 1).where("id", 2))
                .build();
        List<MeteorShowerTransactions> clients =
                cluster.dcs().stream().map(dc -> transactions(cluster, dc)).toList();
        for (int i = 0; i < 7; i++) {
            TransactionResult result = clients.get(i % clients.size()).execute(transfer);
            Row before = result.one().orElseThrow();
            assertThat(before.getInt("a.v")).isEqualTo(Math.max(0, 5 - i));
            assertThat(before.getInt("b.v")).isEqualTo(Math.min(5, i));
            assertThat(result.applied()).isEqualTo(i < 5);
        }
    }

    /** Resolving tells what has happened, and keeps from happening what has not. */
    static void outcomesAreResolved(TestCluster cluster) {
        MeteorShowerTransactions eu = transactions(cluster, "eu");
        MeteorShowerTransactions asia = transactions(cluster, "asia");
        TransactionStatement put =
                TransactionStatement.builder().change(put(3, 1)).build();
        TransactionId done = eu.execute(put).id().orElseThrow();

        assertThat(asia.resolve(done).state()).isEqualTo(TransactionOutcome.State.COMMITTED);
        TransactionId next = new TransactionId(done.session(), done.number() + 1);
        assertThat(asia.resolve(next).state()).isEqualTo(TransactionOutcome.State.ABORTED);
        assertThatThrownBy(() -> eu.execute(put)).hasMessageContaining("never will");
        assertThat(eu.execute(put).applied()).isTrue();
        assertThatThrownBy(() -> asia.resolve(new TransactionId("0.1.2", 1)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("no session of yours");
    }

    /** Code that reads, computes and writes, from all data centres at once: none is lost. */
    static void interactiveTransactionsLoseNothing(TestCluster cluster) throws InterruptedException {
        MeteorShowerSession first = MeteorShowerSession.over(cluster.cql("eu"));
        MeteorShowerTransactions.over(first)
                .execute(TransactionStatement.builder().change(put(4, 0)).build());
        List<Thread> clients = new ArrayList<>();
        for (String dc : cluster.dcs()) {
            MeteorShowerSession session = MeteorShowerSession.over(cluster.cql(dc));
            session.observe(first.token()); // its first read may be of a snapshot without the row otherwise
            MeteorShowerTransactions transactions =
                    MeteorShowerTransactions.builder(session).mostTries(100).build();
            Thread client = new Thread(() -> {
                for (int i = 0; i < 3; i++) {
                    transactions.interactively(tx -> {
                        Row row = tx.read(select("v").from(ACCOUNTS).where("id", 4))
                                .orElseThrow();
                        tx.read(select().from(ACCOUNTS).where("id", 404));
                        tx.write(Change.update(ACCOUNTS)
                                .set("v", row.getInt("v") + 1)
                                .where("id", 4));
                        return row;
                    });
                }
            });
            client.start();
            clients.add(client);
        }
        for (Thread client : clients) {
            client.join();
        }
        assertThat(valueOf(cluster, "us", 4)).isEqualTo(3 * cluster.dcs().size());
    }

    /**
     * One token for both orders: who is given it sees the sequential write and the transaction, in another data centre,
     * at once.
     *
     * @param sequential a table that is served sequentially, with columns id and v
     */
    static void aTokenCarriesBothOrders(TestCluster cluster, String sequential) {
        MeteorShowerSession alice = MeteorShowerSession.over(cluster.cql("eu"));
        MeteorShowerTransactions hers = MeteorShowerTransactions.over(alice);
        MeteorShowerSession bob = MeteorShowerSession.over(cluster.cql("asia"));
        MeteorShowerTransactions his = MeteorShowerTransactions.over(bob);
        TransactionStatement read = TransactionStatement.builder()
                .returning(select("v").from(ACCOUNTS).where("id", 5))
                .build();
        for (int i = 1; i <= 8; i++) {
            alice.execute("INSERT INTO " + sequential + " (id, v) VALUES (1, " + i + ")");
            hers.execute(TransactionStatement.builder().change(put(5, i)).build());

            bob.observe(SessionToken.parseText(alice.token().toText()));
            assertThat(his.snapshot(read).one().orElseThrow().getInt("v")).isEqualTo(i);
            assertThat(bob.execute("SELECT v FROM " + sequential + " WHERE id = 1")
                            .one()
                            .getInt("v"))
                    .isEqualTo(i);
            // A plain statement at a level of which a snapshot is made goes by the same token.
            assertThat(bob.execute(SimpleStatement.newInstance("SELECT v FROM " + ACCOUNTS + " WHERE id = 5")
                                    .setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
                            .one()
                            .getInt("v"))
                    .isEqualTo(i);
        }
    }

    /** Single statements, conditional ones and batches become transactions, and USE is heeded. */
    static void plainStatementsAreTransactions(TestCluster cluster) {
        CqlSession asia = cluster.cql("asia");
        asia.execute("INSERT INTO faults.accounts (id, v) VALUES (6, 1)");
        assertThat(asia.execute("INSERT INTO faults.accounts (id, v) VALUES (6, 2) IF NOT EXISTS")
                        .one()
                        .getInt("v"))
                .isEqualTo(1);
        PreparedStatement add = asia.prepare("UPDATE faults.accounts SET v = ? WHERE id = ?");
        asia.execute(BatchStatement.newInstance(
                DefaultBatchType.LOGGED,
                add.bind(5, 6),
                SimpleStatement.newInstance("INSERT INTO faults.accounts (id, v) VALUES (7, ?)", 6)));
        assertThat(valueOf(cluster, "eu", 6) + valueOf(cluster, "us", 7)).isEqualTo(11);
        assertThat(asia.execute(add.bind(9, 6)).wasApplied()).isTrue();
        try (CqlSession used = cluster.connector("us").withKeyspace("faults").build()) {
            String text = "BEGIN TRANSACTION UPDATE accounts SET v = v + ? WHERE id = 6; COMMIT TRANSACTION";
            used.execute(SimpleStatement.newInstance(text, 1));
            used.execute(used.prepare(text).bind(1));
        }
        assertThat(valueOf(cluster, "eu", 6)).isEqualTo(11);
        assertThat(asia.execute(SimpleStatement.newInstance(
                                        "SELECT v FROM faults.accounts WHERE v = 11 ALLOW FILTERING")
                                .setConsistencyLevel(ConsistencyLevel.QUORUM))
                        .all())
                .hasSize(1);
        assertThatThrownBy(() -> asia.execute(SimpleStatement.newInstance("SELECT writetime(v) FROM faults.accounts")
                        .setConsistencyLevel(ConsistencyLevel.QUORUM)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("read at ONE");
    }

    /** Registered in one data centre, a procedure is there in all at once; its version keeps its text. */
    static void proceduresAreCalledFromAllDataCentres(TestCluster cluster) throws Exception {
        String text = "BEGIN TRANSACTION LET a = (SELECT v FROM accounts WHERE id = :giver); SELECT a.v;"
                + " IF a.v >= :much THEN UPDATE accounts SET v -= :much WHERE id = :giver;"
                + " UPDATE accounts SET v += :much WHERE id = :taker; END IF COMMIT TRANSACTION";
        Procedure move = Procedure.of("faults.move", 1);
        MeteorShowerTransactions eu = transactions(cluster, "eu");
        eu.execute(TransactionStatement.builder().change(put(8, 5), put(9, 0)).build());
        assertThatThrownBy(() -> eu.execute(move.call(8, 1, 9))).hasMessageContaining("there is no procedure");
        eu.procedures().register(move, text);
        for (int i = 0; i < 7; i++) {
            String dc = cluster.dcs().get((i + 1) % cluster.dcs().size());
            TransactionResult result = transactions(cluster, dc).execute(move.call(8, 1, 9));
            assertThat(result.one().orElseThrow().getInt("a.v")).isEqualTo(Math.max(0, 5 - i));
            assertThat(result.applied()).isEqualTo(i < 5);
        }
        MeteorShowerTransactions asia = transactions(cluster, "asia");
        TransactionResult back = asia.execute(move.call(9, 1, 8));
        assertThat(eu.resolve(back.id().orElseThrow()).state()).isEqualTo(TransactionOutcome.State.COMMITTED);
        asia.procedures().register(move, text);
        assertThatThrownBy(() -> asia.procedures().register(move, text.replace(">=", ">")))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("another text");
        assertThatThrownBy(() -> asia.procedures()
                        .register(
                                Procedure.of("faults.dice", 1),
                                text.replace("a.v >= :much", "a.v >= 1 AND uuid() != null")))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("make it a parameter");
        assertThat(eu.procedures().list("faults")).containsExactly(move);
        aCallIsAStatementLikeAnyOther(cluster);
        asia.procedures().drop(move);
        assertThatThrownBy(() -> asia.execute(move.call(8, 1, 9))).hasMessageContaining("there is no procedure");
        Waiting.until(Duration.ofSeconds(60), () -> assertThatThrownBy(() -> eu.execute(move.call(8, 0, 9)))
                .hasMessageContaining("there is no procedure"));
        assertThatThrownBy(() -> eu.procedures().register(move, text.replace(">=", ">")))
                .hasMessageContaining("another text");
        assertThat(valueOf(cluster, "us", 8) + 10 * valueOf(cluster, "us", 9)).isEqualTo(1 + 10 * 4);
        oneTextIsRegisteredWhereSeveralAreTried(cluster, text);
    }

    private static void oneTextIsRegisteredWhereSeveralAreTried(TestCluster cluster, String text) throws Exception {
        Procedure race = Procedure.of("faults.race", 1);
        List<CompletableFuture<Void>> tried = new ArrayList<>();
        for (int i = 0; i < 2 * cluster.dcs().size(); i++) {
            tried.add(transactions(cluster, cluster.dcs().get(i % cluster.dcs().size()))
                    .procedures()
                    .registerAsync(race, text.replace("SELECT a.v;", "SELECT (int) " + i % 3 + " AS won;"))
                    .toCompletableFuture());
        }
        List<Integer> won = new ArrayList<>();
        for (int i = 0; i < tried.size(); i++) {
            try {
                tried.get(i).get(60, TimeUnit.SECONDS);
                won.add(i % 3);
            } catch (ExecutionException e) {
                assertThat(e.getCause()).hasMessageContaining("another text");
            }
        }
        assertThat(won).isNotEmpty().containsOnly(won.get(0));
        for (String dc : cluster.dcs()) {
            TransactionResult called = transactions(cluster, dc).execute(race.call(8, 0, 9));
            assertThat(called.one().orElseThrow().getInt("won")).isEqualTo(won.get(0));
        }
        transactions(cluster, "us").procedures().drop(race);
    }

    private static void aCallIsAStatementLikeAnyOther(TestCluster cluster) {
        CqlSession us = cluster.cql("us");
        assertThat(us.execute("CALL faults.move VERSION 1 (8, 100, 9)").one().getInt(0))
                .isEqualTo(1);
        PreparedStatement prepared = us.prepare("CALL faults.move VERSION 1 (?, 0, :taker)");
        assertThat(us.execute(prepared.bind().setInt("giver", 9).setInt("taker", 8))
                        .one()
                        .getInt("a.v"))
                .isEqualTo(4);
        assertThatThrownBy(() -> us.execute("CALL faults.move VERSION 1 (8, 9)"))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("takes 3 arguments (giver int, much int, taker int)");
        try (CqlSession used = cluster.connector("us").withKeyspace("faults").build()) {
            assertThat(used.execute("CALL move VERSION 1 (9, 0, 8)").one().getInt(0))
                    .isEqualTo(4);
        }
    }

    static int valueOf(TestCluster cluster, String dc, int id) {
        Row row = cluster.cql(dc)
                .execute(SimpleStatement.newInstance("SELECT v FROM faults.accounts WHERE id = " + id)
                        .setConsistencyLevel(ConsistencyLevel.QUORUM))
                .one();
        return row == null ? 0 : row.getInt("v");
    }
}
