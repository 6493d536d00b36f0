/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.meteorshower.client.transactions.RowQuery.select;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.meteorshower.client.FakeTransactions.Fault;
import org.meteorshower.client.transactions.Change;
import org.meteorshower.client.transactions.Procedure;
import org.meteorshower.client.transactions.TransactionStatement;

/** What a client does with tables whose groups of data centres it has to learn: two data centres of a node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionGroupsTest {

    private final FakeDataCentre eu = new FakeDataCentre("eu", 1);
    private final FakeDataCentre us = new FakeDataCentre("us", 1);
    private final FakeTransactions server = new FakeTransactions();

    private final MeteorShowerSession session = MeteorShowerSession.builder()
            .dataCentre(eu.cql)
            .dataCentre(us.cql)
            .failover(true)
            .build();

    @AfterAll
    void stop() {
        eu.close();
        us.close();
    }

    @AfterEach
    void recover() {
        server.faults();
        server.resolves(true);
        server.opensGroups(true);
        session.moveTo("eu");
        eu.awaitConnected();
        us.awaitConnected();
        eu.asked().clear();
        us.asked().clear();
    }

    private MeteorShowerTransactions transactions(MeteorShowerSession in, Duration patience) {
        eu.behave(server);
        us.behave(server);
        return MeteorShowerTransactions.builder(in)
                .patience(patience)
                .resolvePatience(Duration.ofSeconds(5))
                .build();
    }

    private MeteorShowerTransactions transactions() {
        return transactions(session, Duration.ofSeconds(20));
    }

    private static TransactionStatement add(String keyspace, String key) {
        return TransactionStatement.of(
                "BEGIN TRANSACTION UPDATE " + keyspace + ".t SET v += 1 WHERE k = ?; COMMIT TRANSACTION", key);
    }

    private List<Asked> sent(String part) {
        List<Asked> sent = new ArrayList<>(eu.asked());
        sent.addAll(us.asked());
        return sent.stream().filter(each -> each.query().contains(part)).toList();
    }

    private List<String> openings() {
        return sent("OPEN").stream().map(Asked::query).toList();
    }

    @Test
    void whatIsOfAnotherGroupIsSentUnderANumberOfThatGroupAndCountsOnce() {
        int before = server.counter();

        TransactionResult result = transactions().execute(add("eu_us", "1"));

        assertThat(result.one().orElseThrow().getString("v")).isEqualTo("counted " + (before + 1));
        assertThat(openings()).containsExactly("OPEN TRANSACTION SESSION", "OPEN TRANSACTION SESSION OF 'eu,us'");
        assertThat(sent("UPDATE")).hasSize(2);
        assertThat(result.id().orElseThrow().session()).startsWith("3.");
        assertThat(server.counter()).isEqualTo(before + 1);
    }

    @Test
    void whoSaysWhichGroupItIsOfNeedsNoOther() {
        transactions();
        MeteorShowerTransactions european =
                MeteorShowerTransactions.builder(session).group("eu,us").build();

        assertThat(european.execute(add("eu_us", "1")).one()).isPresent();
        assertThat(openings()).containsExactly("OPEN TRANSACTION SESSION OF 'eu,us'");
        assertThat(sent("UPDATE")).hasSize(1);
        assertThatThrownBy(() -> MeteorShowerTransactions.builder(session).group("e'u"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lane_group");
    }

    @Test
    void theGroupOfATextIsRememberedForLaterCalls() {
        MeteorShowerTransactions transactions = transactions();
        TransactionId first = transactions.execute(add("eu_us", "1")).id().orElseThrow();
        recover();

        TransactionId second = transactions.execute(add("eu_us", "2")).id().orElseThrow();
        TransactionId third = transactions
                .in(session.newSession())
                .execute(add("eu_us", "3"))
                .id()
                .orElseThrow();

        assertThat(List.of(second, third))
                .containsExactly(new TransactionId(first.session(), 2), new TransactionId(first.session(), 3));
        assertThat(sent("UPDATE")).hasSize(2);
        assertThat(openings()).isEmpty();
    }

    @Test
    void anotherTextOfTheSameGroupSharesItsSessions() {
        MeteorShowerTransactions transactions = transactions();
        TransactionId first = transactions.execute(add("eu_us", "1")).id().orElseThrow();

        Procedure procedure = Procedure.of("eu_us.add_one", 1);
        TransactionId call = transactions.execute(procedure.call("1")).id().orElseThrow();

        assertThat(call).isEqualTo(new TransactionId(first.session(), 2));
        assertThat(openings()).hasSize(2);
        assertThat(sent("CALL")).hasSize(2);
    }

    @Test
    void theNumberThatWasTakenInVainHoldsNobodyUp() {
        MeteorShowerTransactions transactions = transactions();
        for (int i = 0; i < 40; i++) {
            transactions.execute(TransactionStatement.of(
                    "BEGIN TRANSACTION UPDATE eu_us.t SET v = " + i + " WHERE k = ?; COMMIT TRANSACTION", "1"));
        }
        assertThat(openings()).hasSize(2);
        assertThat(sent("UPDATE")).hasSize(80);
    }

    @Test
    void oneSessionThatSeesSeveralGroupsKeepsThePartOfEach() {
        MeteorShowerSession one = session.newSession();
        MeteorShowerTransactions transactions = transactions(one, Duration.ofSeconds(20));
        long counted = 1_000L + server.counter();

        for (String keyspace : List.of("us_asia", "ks", "eu_us", "us_asia")) {
            transactions.execute(add(keyspace, "1"));
        }

        SessionToken seen = Tokens.of(
                Tokens.bytesAt(0, counted + 2), Tokens.bytesAt(3, counted + 3), Tokens.bytesAt(6, counted + 4));
        assertThat(one.token()).isEqualTo(seen);
        assertThat(SessionToken.parseText(one.token().toText())).isEqualTo(seen);
        assertThat(transactions
                        .in(one)
                        .snapshot(TransactionStatement.of(
                                "BEGIN TRANSACTION SELECT v FROM ks.t WHERE k = ?; COMMIT TRANSACTION", "1"))
                        .one())
                .isPresent();
        assertThat(sent("BEGIN TRANSACTION SELECT").get(0).payload().get(PayloadKeys.TRANSACTIONS_TOKEN))
                .isEqualTo(seen.transactionBytes());
    }

    @Test
    void aServerThatNeverTakesTheSessionIsToldAsFailureAndNothingIsDone() {
        int before = server.counter();
        server.faults(() -> Fault.OTHER_SESSION);
        MeteorShowerTransactions transactions = transactions();

        assertThatThrownBy(() -> transactions.execute(add("eu_us", "1")))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("OTHER_SESSION");

        assertThat(sent("UPDATE")).hasSize(4);
        assertThat(sent("RESOLVE")).isEmpty();
        assertThat(server.counter()).isEqualTo(before);
    }

    @Test
    void aGroupThatHasNoSessionsIsToldAsFailureAndForgotten() {
        server.opensGroups(false);
        MeteorShowerTransactions transactions = transactions();
        assertThatThrownBy(() -> transactions.execute(add("eu_us", "1")))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("no table is of the group eu,us");
        assertThat(sent("UPDATE")).hasSize(2);
        recover();

        transactions.execute(add("eu_us", "1"));

        assertThat(sent("UPDATE")).hasSize(2);
    }

    @Test
    void whatIsInDoubtIsResolvedBeforeItIsSentUnderAnotherNumber() {
        int before = server.counter();
        server.faults(Fault.UNKNOWN);

        TransactionResult result = transactions().execute(add("eu_us", "1"));

        assertThat(result.one().orElseThrow().getString("v")).isEqualTo("counted " + (before + 1));
        assertThat(sent("RESOLVE")).hasSize(1);
        assertThat(sent("RESOLVE").get(0).query()).contains("OF SESSION '0.");
        assertThat(sent("UPDATE")).hasSize(3);
        assertThat(server.counter()).isEqualTo(before + 1);
    }

    @Test
    void whatIsInDoubtAndCannotBeResolvedIsUnknownAndNotSentAgain() {
        int before = server.counter();
        server.faults(Fault.UNKNOWN);
        server.resolves(false);
        eu.behave(server);
        us.behave(server);
        MeteorShowerTransactions impatient = MeteorShowerTransactions.builder(session)
                .resolvePatience(Duration.ofMillis(200))
                .build();

        UnknownOutcomeException unknown =
                catchThrowableOfType(UnknownOutcomeException.class, () -> impatient.execute(add("eu_us", "1")));

        assertThat(unknown.transaction().orElseThrow().session()).startsWith("0.");
        assertThat(sent("UPDATE")).hasSize(2);
        assertThat(server.counter()).isEqualTo(before);
    }

    /** With data centres of its own: sessions that were opened in vain may come after its end. */
    @Test
    void manyOfSeveralGroupsWhoseRequestsAndAnswersGetLostCountEachOnce() {
        FakeTransactions own = new FakeTransactions();
        Random random = new Random(11);
        Fault[] some = {Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.UNKNOWN, Fault.UNKNOWN_AND_DONE, Fault.REFUSED};
        own.faults(() -> random.nextInt(12) == 0 ? some[random.nextInt(some.length)] : Fault.NONE);
        try (FakeDataCentre first = new FakeDataCentre("eu", 1);
                FakeDataCentre second = new FakeDataCentre("us", 1)) {
            first.behave(own);
            second.behave(own);
            MeteorShowerSession over = MeteorShowerSession.builder()
                    .dataCentre(first.cql)
                    .dataCentre(second.cql)
                    .failover(true)
                    .build();
            MeteorShowerTransactions transactions = MeteorShowerTransactions.builder(over)
                    .patience(Duration.ofSeconds(60))
                    .resolvePatience(Duration.ofSeconds(5))
                    .build();
            List<String> keyspaces = List.of("ks", "eu_us", "us_asia");
            List<CompletableFuture<TransactionResult>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(transactions
                        .executeAsync(add(keyspaces.get(i % 3), String.valueOf(i)))
                        .toCompletableFuture());
            }
            all.forEach(CompletableFuture::join);
        }
        assertThat(own.counter()).isEqualTo(200);
    }

    @Test
    void anInteractiveTransactionIsOfItsTablesGroup() {
        int before = server.counter();
        String read = transactions().interactively(tx -> {
            String found = tx.read(select("v").from("eu_us.t").where("k", "1"))
                    .orElseThrow()
                    .getString("v");
            tx.write(Change.update("eu_us.t").set("v", "b").where("k", "1"));
            return found;
        });
        assertThat(read).isEqualTo("read");
        assertThat(server.counter()).isEqualTo(before + 1);
    }

    @Test
    void anAnswerThatLacksAGroupThatTheSessionHasSeenIsRefused() {
        MeteorShowerSession one = session.newSession();
        one.observe(Tokens.of(Tokens.bytesAt(0, 5), Tokens.bytesAt(3, 7)));
        MeteorShowerTransactions transactions = transactions(one, Duration.ZERO);
        eu.behave(asked -> Reply.row("read").with(PayloadKeys.TRANSACTIONS_TOKEN, Tokens.bytesAt(0, 9)));

        assertThatThrownBy(() -> transactions.snapshot(TransactionStatement.of(
                        "BEGIN TRANSACTION SELECT v FROM ks.t WHERE k = ?; COMMIT TRANSACTION", "1")))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("answered with SessionToken[entry 9]")
                .hasMessageContaining("SessionToken[entry 5, entry 7 of group 3]");
    }
}
