/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Transport.CallFailedException;
import org.meteorshower.transactions.codec.AnswerCodec;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;

/** What clients of a node are told whose data centre's process runs elsewhere, dies, and is replaced. */
final class RoutedRunnerTest {
    private static final Answer DONE = new Answer.Done(new Outcome.Committed(List.of()), 9);
    private static final Answer NOT_READY = new Answer.Refused(Answer.Refusal.NOT_READY, "not now");
    private static final Answer OVERLOADED = new Answer.Refused(Answer.Refusal.OVERLOADED, "too much");
    private final CallFailedException sent = new CallFailedException("the connection was lost", true);
    private final CallFailedException notSent = new CallFailedException("no connection", false);
    private static final Transaction WRITE = new Transaction(
            List.of(), List.of(new Statement.Put(new RowKey("t", "k"), "v", new Expression.Constant(Value.of(1)))));
    private static final Transaction READ =
            new Transaction(List.of(), List.of(new Statement.Return(new Expression.Constant(Value.of(1)))));
    private static final Request NUMBERED = new Request.Run(new SessionId(0, 1, 0), 1, WRITE);
    private static final Request ONCE = new Request.Once(WRITE);
    private static final Request STRICT = new Request.Read(READ);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Representatives representatives = new Representatives(1);
    private final ArrayDeque<Object> answers = new ArrayDeque<>();
    private final ByteAccount requests = new ByteAccount(10_000);
    private @Nullable String trouble;
    private final RoutedRunner runner = new RoutedRunner(
            new DataCentres(List.of("eu"), 0, NodeId.of(1)),
            representatives,
            () -> null,
            (to, request, timeout) -> next(),
            () -> trouble,
            format -> true,
            format -> null,
            timer,
            requests,
            () -> 10_000);

    /** The last one is given again and again. */
    private synchronized CompletableFuture<byte[]> next() {
        Object next = answers.size() > 1 ? answers.poll() : answers.peek();
        return next instanceof Answer answer
                ? CompletableFuture.completedFuture(AnswerCodec.encode(answer))
                : CompletableFuture.failedFuture((CallFailedException) next);
    }

    private Answer asked(Request request, long millis, Object... told) throws Exception {
        answers.addAll(List.of(told));
        return runner.submit(request, System.nanoTime() + millis * 1_000_000).get(60, TimeUnit.SECONDS);
    }

    @BeforeEach
    void anotherNodeRunsIt() {
        representatives.heard(0, NodeId.of(2), 7);
    }

    @AfterEach
    void end() {
        timer.shutdownNow();
    }

    @Test
    void whatWasNotSentIsAskedForAgain() throws Exception {
        assertThat(asked(ONCE, 60_000, notSent, NOT_READY, DONE)).isEqualTo(DONE);
    }

    @Test
    void whatMayHaveArrivedIsNotAskedForAgain() throws Exception {
        assertThat(asked(ONCE, 60_000, sent, DONE)).isInstanceOf(Answer.Unknown.class);
        assertThat(answers).containsExactly(DONE);
    }

    @Test
    void whoWaitsForAProcessThatWillNotComeByItselfIsToldWhy() throws Exception {
        representatives.left(0, NodeId.of(2), 7);
        assertThat(asked(ONCE, 1, DONE)).asString().contains("try again in a few seconds");
        trouble = "it is in format 9";
        assertThat(asked(ONCE, 1, DONE))
                .asString()
                .contains("it is in format 9")
                .doesNotContain("try again");
    }

    @Test
    void whatHasANumberIs() throws Exception {
        assertThat(asked(NUMBERED, 60_000, sent, NOT_READY, sent, DONE)).isEqualTo(DONE);
    }

    @Test
    void thatItIsRefusedLaterDoesNotTellWhatBecameOfItBefore() throws Exception {
        assertThat(asked(NUMBERED, 60_000, sent, OVERLOADED)).isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void norDoesTheDeadline() throws Exception {
        assertThat(asked(NUMBERED, 300, sent, NOT_READY)).isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void whatWasNeverTakenIsRefused() throws Exception {
        assertThat(asked(NUMBERED, 300, NOT_READY)).isEqualTo(NOT_READY);
    }

    @Test
    void readsAreAskedForAgainAndMayBeRefused() throws Exception {
        assertThat(asked(STRICT, 60_000, sent, new Answer.Unknown("ended"), DONE))
                .isEqualTo(DONE);
    }

    @Test
    void aReadThatIsRefusedInTheEndIsRefused() throws Exception {
        assertThat(asked(STRICT, 60_000, sent, OVERLOADED)).isEqualTo(OVERLOADED);
    }

    @Test
    void whatHasNoRoomIsRefusedAndWhatIsOverGivesItBack() throws Exception {
        assertThat(asked(ONCE, 60_000, DONE)).isEqualTo(DONE);
        assertThat(requests.used()).isZero();
        requests.take(9_000);

        Answer refused = asked(ONCE, 60_000, DONE);

        assertThat(refused).isInstanceOfSatisfying(Answer.Refused.class, told -> assertThat(told.refusal())
                .isEqualTo(Answer.Refusal.OVERLOADED));
        assertThat(refused).asString().contains("memory.transaction_requests");
        assertThat(requests.used()).isEqualTo(9_000);
        requests.giveBack(9_000);
        assertThat(asked(ONCE, 60_000, DONE)).isEqualTo(DONE);
    }

    @Test
    void aTransactionLargerThanAnyIsTakenIsRefusedAtOnce() throws Exception {
        Transaction large = new Transaction(
                List.of(),
                List.of(new Statement.Put(
                        new RowKey("t", "k"), "v", new Expression.Constant(Value.of("x".repeat(20 << 20))))));

        assertThat(asked(new Request.Once(large), 60_000, DONE))
                .isInstanceOfSatisfying(
                        Answer.Refused.class, told -> assertThat(told.refusal()).isEqualTo(Answer.Refusal.TOO_LARGE));
        assertThat(requests.used()).isZero();
    }
}
