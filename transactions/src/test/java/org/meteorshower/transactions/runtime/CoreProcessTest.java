/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.runtime.Clock;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;

/** Three processes on real threads and clocks, which talk to each other in bytes. */
class CoreProcessTest {
    private static final RowKey ROW = new RowKey("t", "k");
    private static final Clock CLOCK = Clock.system();

    private final List<CoreProcess> processes = new ArrayList<>();
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        processes.forEach(CoreProcess::close);
        stores.forEach(MemoryStore::close);
        assertThat(failures).isEmpty();
    }

    private void start(Settings settings) {
        for (int dc = 0; dc < 3; dc++) {
            MemoryStore store = new MemoryStore(dc + 1);
            stores.add(store);
            Members members = new Members(dc, 3);
            processes.add(new CoreProcess(
                    members,
                    settings,
                    Recovery.founding(3, store.life()),
                    CLOCK,
                    store,
                    new InMemory(dc, new MessageCodec(members)),
                    new Failures(),
                    row -> row.hashCode()));
        }
        processes.forEach(CoreProcess::start);
    }

    @Test
    void whatCommitsInOneDataCentreIsReadInAllOthers() throws Exception {
        start(Settings.DEFAULT);
        for (int i = 0; i < 9; i++) {
            assertThat(outcome(processes.get(i % 3).submit(new Request.Once(add(1)), in(30_000))))
                    .isInstanceOf(Outcome.Committed.class);
        }
        for (CoreProcess process : processes) {
            assertThat(outcome(process.submit(new Request.Read(read()), in(30_000))))
                    .isEqualTo(new Outcome.Committed(List.of(Value.of(9))));
        }
    }

    @Test
    void anIdleSystemWritesNothingAndWakesForATransaction() throws Exception {
        Settings defaults = Settings.DEFAULT;
        start(new Settings(
                defaults.epochMicros(),
                defaults.progressMicros(),
                defaults.suspicionFloorMicros(),
                defaults.settlingMicros(),
                defaults.staggerMicros(),
                defaults.phase1Micros(),
                defaults.handBackMicros(),
                defaults.clockToleranceMicros(),
                defaults.mostUndecided(),
                defaults.mostQueued(),
                defaults.mostPerEntry(),
                100_000,
                defaults.deadMicros(),
                defaults.sessionIdleMicros(),
                defaults.mostRows(),
                300_000,
                defaults.budget(),
                false));
        assertThat(outcome(processes.get(0).submit(new Request.Once(add(1)), in(30_000))))
                .isInstanceOf(Outcome.Committed.class);
        // How long they take until they are at rest is a matter of the machine.
        long persists = Long.MAX_VALUE;
        for (int second = 0; second < 30 && persists >= 3; second++) {
            long before = processes.get(1).status().persists();
            Thread.sleep(1_000);
            persists = processes.get(1).status().persists() - before;
        }
        assertThat(persists).as("within a second at rest").isLessThan(3);
        long begunNanos = System.nanoTime();
        assertThat(outcome(processes.get(2).submit(new Request.Once(add(1)), in(30_000))))
                .isInstanceOf(Outcome.Committed.class);
        assertThat(System.nanoTime() - begunNanos).isLessThan(10_000_000_000L);
    }

    @Test
    void aProcessThatWasReplacedEndsAndTellsItsClientsHowFarItGot() throws Exception {
        start(Settings.DEFAULT);
        assertThat(outcome(processes.get(0).submit(new Request.Once(add(1)), in(30_000))))
                .isInstanceOf(Outcome.Committed.class);
        stores.get(0).fence = 99;
        CompletableFuture<Answer> answer = processes.get(0).submit(new Request.Once(add(1)), in(30_000));
        // It may be fenced before it has proposed it.
        assertThat(answer.get(40, TimeUnit.SECONDS)).isInstanceOfAny(Answer.Unknown.class, Answer.Refused.class);
        for (int i = 0; i < 6_000 && !processes.get(0).isEnded(); i++) {
            Thread.sleep(5);
        }
        assertThat(processes.get(0).isEnded()).isTrue();
        assertThat(refusal(processes.get(0).submit(new Request.Once(add(1)), in(30_000))))
                .isEqualTo(Answer.Refusal.NOT_READY);
    }

    @Test
    void aProcessThatRetiresAnswersForWhatItHasProposedAndTurnsTheRestAway() throws Exception {
        start(Settings.DEFAULT);
        assertThat(outcome(processes.get(0).submit(new Request.Once(add(1)), in(30_000))))
                .isInstanceOf(Outcome.Committed.class);
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(processes.get(0).submit(new Request.Once(add(1)), in(30_000)));
            Thread.sleep(1);
            if (i == 100) {
                Thread retiring = new Thread(() -> processes.get(0).retire(30_000_000_000L));
                retiring.start();
            }
        }
        int committed = 1;
        for (CompletableFuture<Answer> answer : answers) {
            Answer told = answer.get(40, TimeUnit.SECONDS);
            assertThat(told).isInstanceOfAny(Answer.Done.class, Answer.Refused.class);
            committed += told instanceof Answer.Done ? 1 : 0;
        }
        assertThat(refusal(answers.get(199))).isEqualTo(Answer.Refusal.NOT_READY);
        assertThat(outcome(processes.get(1).submit(new Request.Read(read()), in(30_000))))
                .as("what was refused has not happened, and what was not has")
                .isEqualTo(new Outcome.Committed(List.of(Value.of(committed))));
    }

    private static Answer.Refusal refusal(CompletableFuture<Answer> answer) throws Exception {
        Answer told = answer.get(40, TimeUnit.SECONDS);
        assertThat(told).isInstanceOf(Answer.Refused.class);
        return ((Answer.Refused) told).refusal();
    }

    private static Outcome outcome(CompletableFuture<Answer> answer) throws Exception {
        Answer told = answer.get(40, TimeUnit.SECONDS);
        assertThat(told).isInstanceOf(Answer.Done.class);
        return ((Answer.Done) told).outcome();
    }

    private static long in(long millis) {
        return System.nanoTime() + 1_000_000 * millis;
    }

    private static Transaction add(long amount) {
        Expression held = new Expression.Column(ROW, "v");
        Expression added = new Expression.Constant(Value.of(amount));
        return new Transaction(
                List.of(),
                List.of(new Statement.If(
                        new Expression.Exists(ROW),
                        List.of(new Statement.Put(
                                ROW,
                                "v",
                                new Expression.Arithmetic(Expression.Arithmetic.Operation.PLUS, held, added))),
                        List.of(new Statement.Put(ROW, "v", added)))));
    }

    private static Transaction read() {
        return new Transaction(List.of(), List.of(new Statement.Return(new Expression.Column(ROW, "v"))));
    }

    /** Hands bytes over at once. */
    private final class InMemory implements Courier {
        private final int from;
        private final MessageCodec codec;

        InMemory(int from, MessageCodec codec) {
            this.from = from;
            this.codec = codec;
        }

        @Override
        public void send(int dc, Message message, boolean twice) {
            try {
                processes.get(dc).received(from, codec.decode(codec.encode(message)));
            } catch (BadDataException e) {
                failures.add(e);
            }
        }
    }

    private final class Failures implements Listener {
        @Override
        public void alarm(Effect.Alarm alarm) {}

        @Override
        public void ended(@Nullable Throwable failure) {
            if (failure != null) {
                failures.add(failure);
            }
        }
    }
}
