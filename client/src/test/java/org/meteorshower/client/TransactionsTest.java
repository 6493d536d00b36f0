/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.meteorshower.client.FakeTransactions.Fault;
import org.meteorshower.client.transactions.TransactionStatement;

/** What a client does with transactions whose requests and answers get lost: two data centres of two nodes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionsTest {

    private static final TransactionStatement ADD = TransactionStatement.of(
            "BEGIN TRANSACTION LET r = (SELECT v FROM ks.t WHERE k = ?); SELECT r.v; UPDATE ks.t SET v += 1 WHERE k = ?;"
                    + " COMMIT TRANSACTION",
            "1",
            "1");
    private static final TransactionStatement READ =
            TransactionStatement.of("BEGIN TRANSACTION SELECT v FROM ks.t WHERE k = ?; COMMIT TRANSACTION", "1");

    private final FakeDataCentre eu = new FakeDataCentre("eu", 2);
    private final FakeDataCentre us = new FakeDataCentre("us", 2);

    @AfterAll
    void stop() {
        eu.close();
        us.close();
    }

    @AfterEach
    void recover() {
        eu.asked().clear();
        us.asked().clear();
        eu.awaitConnected();
        us.awaitConnected();
    }

    private FakeTransactions served(FakeTransactions by) {
        eu.behave(by);
        us.behave(by);
        return by;
    }

    private MeteorShowerSession session() {
        return MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .dataCentre(us.cql)
                .failover(true)
                .build();
    }

    private MeteorShowerTransactions transactions(Duration patience) {
        return MeteorShowerTransactions.builder(session())
                .patience(patience)
                .resolvePatience(Duration.ofMillis(200))
                .build();
    }

    private MeteorShowerTransactions patient() {
        return transactions(Duration.ofSeconds(20));
    }

    private List<Asked> sent() {
        List<Asked> sent = new ArrayList<>(eu.asked());
        sent.addAll(us.asked());
        return sent.stream().filter(each -> each.query().contains("UPDATE")).toList();
    }

    @Test
    void aTransactionHasANumberAndTellsItsRowsAndWhetherItWrote() {
        FakeTransactions server = served(new FakeTransactions());
        MeteorShowerTransactions transactions = patient();

        TransactionResult first = transactions.execute(ADD);
        TransactionResult second = transactions.execute(ADD);

        assertThat(first.one().orElseThrow().getString("v")).isEqualTo("counted 1");
        assertThat(first.applied()).isTrue();
        assertThat(first.id().orElseThrow().number()).isEqualTo(1);
        assertThat(second.id().orElseThrow())
                .isEqualTo(new TransactionId(first.id().orElseThrow().session(), 2));
        assertThat(server.opened()).isEqualTo(1);
    }

    @Test
    void whatWasNotAnsweredIsSentAgainUnderTheSameNumberAndCountsOnce() {
        FakeTransactions server = served(new FakeTransactions())
                .faults(Fault.ANSWER_LOST, Fault.UNKNOWN_AND_DONE, Fault.REFUSED, Fault.REQUEST_LOST);

        TransactionResult result = patient().execute(ADD);

        assertThat(result.one().orElseThrow().getString("v")).isEqualTo("counted 1");
        assertThat(server.counter()).isEqualTo(1);
        assertThat(sent()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(sent().stream().map(Asked::number)).containsOnly(1L);
    }

    @Test
    void aTransactionInDoubtGoesToTheNextDataCentre() {
        served(new FakeTransactions()).faults(Fault.UNKNOWN);
        MeteorShowerSession session = session();

        MeteorShowerTransactions.over(session).execute(ADD);

        assertThat(us.asked().stream().filter(each -> each.query().contains("UPDATE")))
                .hasSize(1);
        assertThat(session.dataCentre()).isEqualTo("us");
    }

    @Test
    void manyClientsWhoseRequestsAndAnswersGetLostCountEachTransactionOnce() {
        assertThat(countedUnderFaults(new FakeTransactions())).isEqualTo(200);
    }

    @Test
    void aServerThatIgnoresNumbersIsSeenToCountSomeTwice() {
        assertThat(countedUnderFaults(new FakeTransactions(true))).isGreaterThan(200);
    }

    private int countedUnderFaults(FakeTransactions server) {
        Random random = new Random(7);
        Fault[] faults = {Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.UNKNOWN, Fault.UNKNOWN_AND_DONE, Fault.REFUSED};
        Supplier<Fault> some = () -> random.nextInt(12) == 0 ? faults[random.nextInt(faults.length)] : Fault.NONE;
        served(server).faults(some);
        MeteorShowerTransactions transactions = transactions(Duration.ofSeconds(60));
        List<CompletableFuture<TransactionResult>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(transactions.executeAsync(ADD).toCompletableFuture());
        }
        all.forEach(CompletableFuture::join);
        server.faults();
        return server.counter();
    }

    @Test
    void whatIsInDoubtForTooLongIsResolvedAndNeverRunsLater() {
        FakeTransactions server = served(new FakeTransactions()).faults(Fault.UNKNOWN, Fault.UNKNOWN);
        MeteorShowerTransactions transactions = transactions(Duration.ZERO);

        TransactionAbortedException aborted =
                catchThrowableOfType(TransactionAbortedException.class, () -> transactions.execute(ADD));

        assertThat(aborted.reason()).isEqualTo(TransactionAbortedException.Reason.GIVEN_UP);
        assertThat(aborted).hasMessageContaining("never will be").hasCauseInstanceOf(Exception.class);
        assertThat(server.counter()).isZero();
        assertThat(server.apply(sent().get(0)).message().toString()).contains("DEAD");
        assertThat(server.counter()).isZero();
    }

    @Test
    void whatHasRunUnseenIsFoundByResolvingAndItsResultIsFetched() {
        FakeTransactions server = served(new FakeTransactions()).faults(Fault.UNKNOWN_AND_DONE, Fault.UNKNOWN_AND_DONE);

        TransactionResult result = transactions(Duration.ZERO).execute(ADD);

        assertThat(result.one().orElseThrow().getString("v")).isEqualTo("counted 1");
        assertThat(server.counter()).isEqualTo(1);
    }

    @Test
    void aResultThatTheServerHasNotKeptIsToldAsLostAndTheTransactionAsDone() {
        served(new FakeTransactions()).faults(Fault.ANSWER_LOST, Fault.RESULT_LOST);
        assertThatThrownBy(() -> patient().execute(ADD))
                .isInstanceOf(ResultLostException.class)
                .hasMessageContaining("was carried out");
    }

    @Test
    void whatCannotBeFetchedAfterResolvingIsToldAsLost() {
        served(new FakeTransactions())
                .faults(
                        Fault.UNKNOWN_AND_DONE,
                        Fault.UNKNOWN_AND_DONE,
                        Fault.REFUSED,
                        Fault.REFUSED,
                        Fault.RESULT_LOST);
        assertThatThrownBy(() -> transactions(Duration.ZERO).execute(ADD)).isInstanceOf(ResultLostException.class);
    }

    @Test
    void unknownIsToldOnlyWhereNobodyCanBeAskedAndCanBeAskedForLater() {
        FakeTransactions server = served(new FakeTransactions()).faults(() -> Fault.ANSWER_LOST);
        server.resolves(false);
        MeteorShowerTransactions transactions = transactions(Duration.ZERO);

        UnknownOutcomeException unknown =
                catchThrowableOfType(UnknownOutcomeException.class, () -> transactions.execute(ADD));
        server.resolves(true);
        server.faults();
        eu.awaitConnected();
        us.awaitConnected();

        TransactionId id = unknown.transaction().orElseThrow();
        assertThat(transactions.resolve(id).state()).isEqualTo(TransactionOutcome.State.COMMITTED);
        assertThat(transactions.execute(ADD).id().orElseThrow().session())
                .as("its session gives no more numbers, so that its outcome is kept")
                .isNotEqualTo(id.session());
    }

    @Test
    void whatWasCertainlyNotDoneIsToldAsThatWithoutAsking() {
        served(new FakeTransactions()).faults(() -> Fault.REFUSED);

        assertThatThrownBy(() -> transactions(Duration.ofMillis(100)).execute(ADD))
                .isInstanceOf(UnavailableException.class);
        assertThat(eu.asked().stream().map(Asked::query)).noneMatch(query -> query.startsWith("RESOLVE"));
    }

    @Test
    void anAbortSaysWhy() {
        served(new FakeTransactions()).faults(Fault.ABORTED);

        assertThatThrownBy(() -> patient().execute(ADD))
                .isInstanceOfSatisfying(TransactionAbortedException.class, aborted -> assertThat(aborted.reason())
                        .isEqualTo(TransactionAbortedException.Reason.ERROR))
                .hasMessageContaining("a division by zero");
    }

    @Test
    void aSessionThatHasExpiredIsReplacedWhereNothingIsInDoubt() {
        FakeTransactions server = served(new FakeTransactions()).faults(Fault.EXPIRED);

        patient().execute(ADD);

        assertThat(server.opened()).isEqualTo(2);
        assertThat(server.counter()).isEqualTo(1);
    }

    @Test
    void whatIsInDoubtWhenItsSessionExpiresStaysInDoubtAndIsTold() {
        served(new FakeTransactions()).faults(Fault.ANSWER_LOST, Fault.EXPIRED, Fault.EXPIRED);

        assertThatThrownBy(() -> patient().execute(ADD))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasCauseInstanceOf(InvalidQueryException.class);
    }

    @Test
    void aSnapshotSeesWhatTheSessionHasWrittenAlsoThroughAToken() {
        served(new FakeTransactions());
        MeteorShowerSession session = session();
        MeteorShowerTransactions transactions = MeteorShowerTransactions.over(session);
        transactions.execute(ADD);
        MeteorShowerSession other = session.newSession();
        other.observe(SessionToken.parseText(session.token().toText()));
        eu.asked().clear();

        transactions.in(other).snapshot(READ);
        other.execute("SELECT v FROM ks.other WHERE k = 1");

        Asked snapshot = eu.asked().get(0);
        assertThat(snapshot.text(PayloadKeys.TRANSACTIONS_MODE)).isEqualTo("snapshot");
        for (Asked each : eu.asked()) {
            assertThat(each.payload().get(PayloadKeys.TRANSACTIONS_TOKEN)).isEqualTo(Tokens.bytesAt(1_001));
        }
    }

    @Test
    void aTransactionThatOnlyReadsHasNoNumberAndIsRepeatedAtWill() {
        served(new FakeTransactions());
        TransactionResult result = patient().execute(READ);

        assertThat(result.one().orElseThrow().getString("v")).isEqualTo("read");
        assertThat(result.applied()).isFalse();
        assertThat(eu.asked()).hasSize(1);
        assertThat(eu.asked().get(0).payload()).doesNotContainKey(PayloadKeys.TRANSACTIONS_SESSION);
    }

    @Test
    void aTextThatIsNoTransactionIsRefused() {
        assertThatThrownBy(() -> TransactionStatement.of("UPDATE ks.t SET v = 1 WHERE k = 1"))
                .hasMessageContaining("BEGIN TRANSACTION");
    }
}
