/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.ChangePieces;
import org.meteorshower.transactions.chains.ChangeStream;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.lanes.Generations;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.storage.NoRowsExpire;

/**
 * Data centre 0 of three, in whose lane entries of about 64 KiB are decided. Lag slows from 256 KiB on, stops at 768,
 * is left behind at 2 MiB.
 */
class AdmissionTest {
    private static final int KIBIBYTE = 1 << 10;
    private static final int ENTRY = 64 * KIBIBYTE;
    private static final Budget BUDGET = new Budget(
            1_024 * KIBIBYTE,
            2_048 * KIBIBYTE,
            512 * KIBIBYTE,
            128 * KIBIBYTE,
            256 * KIBIBYTE,
            768 * KIBIBYTE,
            2_048 * KIBIBYTE,
            8_192 * KIBIBYTE);
    private static final Settings SETTINGS = Settings.DEFAULT.withBudget(BUDGET);
    private static final long ORIGIN = Ballot.of(1, 1, 0);
    private static final int LEADER = 1;

    private final Members members = new Members(0, 3);
    private final Turn turn = new Turn(members);
    private final Durability durability = new Durability(turn, 7);
    private final Peers peers = new Peers(members);
    private final List<Lane> lanes = new ArrayList<>();
    private final Checkpoints checkpoints = new Checkpoints();
    private Admission admission;
    private Submissions submissions;
    private long roomMicros;
    private long micros = 10_000_000;
    private int decided;
    private long clients;

    /** Where this data centre's own tables are. */
    private final class Checkpoints {
        private final RowMemory memory = new RowMemory(turn::emit, 10, 1_000_000, 1, 0);
        private final org.meteorshower.transactions.storage.Checkpoints own =
                new org.meteorshower.transactions.storage.Checkpoints(
                        turn,
                        durability,
                        memory,
                        new ChangePieces(turn, new ChangeStream(0, 0), 500, 0),
                        NoRowsExpire.in(turn, memory),
                        1_000,
                        1_000,
                        () -> Long.MAX_VALUE,
                        checkpoint -> true,
                        () -> false,
                        Checkpoint.first(3),
                        1);

        void has(long position) {
            own.jump(new Checkpoint(position, List.of(position, 0L, 0L), List.of(position, 0L, 0L), 0), 1);
        }
    }

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 1_000 * micros));
        for (int lane = 0; lane < 3; lane++) {
            lanes.add(new Lane(
                    lane,
                    members,
                    SETTINGS,
                    turn,
                    durability,
                    new Generations(List.of(1, 1, 1), dc -> {}),
                    () -> true,
                    Recovery.founding(3, 7),
                    (number, position, entry) -> {}));
        }
        admission = new Admission(members, BUDGET, turn, peers, lanes, checkpoints.own);
        submissions = new Submissions(
                turn,
                SETTINGS,
                admission,
                lanes.get(0),
                new Forms(new Bodies(row -> row.hashCode())),
                new RowMemory(turn::emit, 10, 1_000_000, 1, 0),
                () -> roomMicros,
                7);
        admission.tick();
    }

    private static Request write(int bytes) {
        return new Request.Once(new Transaction(
                List.of(),
                List.of(new Statement.Put(
                        new RowKey("t", "k"), "v", new Expression.Constant(Value.of("x".repeat(bytes)))))));
    }

    /** So many more entries are decided, and the data centres have them in their tables up to here; time passes. */
    private void decides(int entries, long self, long first, long second) {
        for (int i = 0; i < entries; i++) {
            Entry entry = new Entry(decided + 1, ORIGIN, List.of(new Submission(1, write(ENTRY - 1_000))));
            lanes.get(0).learn(decided++, List.of(entry));
        }
        checkpoints.has(self);
        hears(1, first);
        hears(2, second);
        passes(50_000);
    }

    private void hears(int dc, long durable) {
        peers.heard(dc, micros, true);
        peers.progress(
                dc,
                new Message.Progress(
                        new Message.ClockReading(0, 0, -1, 0),
                        List.of((long) decided, 0L, 0L),
                        List.of(durable, 0L, 0L),
                        durable,
                        0,
                        0,
                        null,
                        true));
    }

    private List<Effect> passes(long more) {
        List<Effect> effects = turn.end();
        micros += more;
        turn.begin(new Now(0, 1_000 * micros));
        admission.tick();
        return effects;
    }

    @Test
    void whileAllKeepUpEverythingIsProposed() {
        for (int i = 0; i < 100; i++) {
            decides(4, decided, decided, decided);
        }
        assertThat(admission.mayPropose()).isEqualTo(Admission.UNLIMITED);
        assertThat(admission.waitMicros(1 << 30)).isZero();
    }

    /** At 1.28 MB a second, all keep 6 entries behind, 384 KiB. */
    private void steady(int behind) {
        for (int i = 0; i < 200; i++) {
            decides(1, decided, Math.max(0, decided - behind), decided);
        }
    }

    @Test
    void lagSlowsWhatIsProposedToSomethingLikeWhatTheSlowestGetsDone() {
        steady(6);
        long perSecond = 20L * ENTRY;
        assertThat(admission.mayPropose()).isBetween(1L, perSecond / 10 * 2);
        admission.proposed(admission.mayPropose());
        long waitMicros = admission.waitMicros(perSecond);
        assertThat(waitMicros).isBetween(500_000L, 2_000_000L);

        passes(50_000);
        assertThat(admission.mayPropose()).as("in 50 ms").isBetween(perSecond / 50, perSecond / 10);
        passes(9_000_000);
        hears(1, decided - 6L);
        hears(2, decided);
        passes(50_000);
        assertThat(admission.mayPropose()).as("a pause saves nothing").isLessThan(perSecond / 4);
    }

    @Test
    void moreLagSlowsMore() {
        steady(6);
        admission.proposed(admission.mayPropose());
        long little = admission.waitMicros(1 << 20);
        steady(10);
        admission.proposed(admission.mayPropose());
        assertThat(admission.waitMicros(1 << 20)).isGreaterThan(2 * little);
    }

    @Test
    void muchLagStopsAllButATrickle() {
        steady(16);
        admission.proposed(admission.mayPropose());
        passes(50_000);
        assertThat(admission.mayPropose()).isBetween(50L, 1_000L);
    }

    @Test
    void whoLagsTooFarDoesNotCountUntilItHasCaughtUp() {
        steady(6);
        stands(250);
        assertThat(admission.mayPropose()).isEqualTo(Admission.UNLIMITED);
        stands(400);
        assertThat(admission.mayPropose()).as("not caught up yet").isEqualTo(Admission.UNLIMITED);
        steady(7);
        steady(10);
        assertThat(admission.mayPropose()).as("it counts again").isLessThan(Admission.UNLIMITED);
    }

    /** The second data centre's tables stay where they are while so much is decided. */
    private void stands(int entries) {
        long at = decided;
        for (int i = 0; i < entries; i++) {
            decides(1, decided, at, decided);
        }
    }

    /** It gets three entries done while one is decided; each of three lanes may propose a third of half of that. */
    @Test
    void whoCatchesUpIsLeftRoom() {
        steady(0);
        long at = decided;
        stands(300);
        for (int look = 0; look < 60; look++) {
            at += 3;
            decides(1, decided, at, decided);
        }
        long perSecond = 3L * 20 * ENTRY;
        admission.proposed(admission.mayPropose());
        decides(1, decided, at + 3, decided);
        assertThat(admission.mayPropose()).as("in 50 ms").isBetween(perSecond / 2 / 20 / 8, perSecond / 2 / 20);
    }

    @Test
    void whoIsNotHeardDoesNotCount() {
        steady(16);
        assertThat(admission.mayPropose()).isLessThan(Admission.UNLIMITED);
        for (int i = 0; i < 30; i++) {
            hears(2, decided);
            passes(50_000);
        }
        assertThat(admission.mayPropose()).isEqualTo(Admission.UNLIMITED);
    }

    /** However far two of three lag: otherwise nothing would bound what the third proposes. */
    @Test
    void theFastestMajorityAlwaysCounts() {
        for (int i = 0; i < 60; i++) {
            decides(1, decided, 0, 0);
        }
        assertThat(admission.mayPropose()).isLessThan(Admission.UNLIMITED);
        for (int i = 0; i < 60; i++) {
            passes(50_000);
        }
        assertThat(admission.mayPropose()).as("and nobody is heard").isLessThan(Admission.UNLIMITED);
    }

    @Test
    void whoIsLeftBehindItselfRefusesItsOwnClients() {
        for (int i = 0; i < 60; i++) {
            decides(1, 0, decided, decided);
        }
        assertThat(admission.isBehind()).isTrue();
        assertThat(refusal(write(10), 1_000_000_000)).isEqualTo(Answer.Refusal.OVERLOADED);
    }

    private Answer.Refused refused(Request request, long inNanos) {
        turn.end().clear();
        submissions.submit(++clients, request, turn.nanos() + inNanos);
        return turn.end().stream()
                .filter(Effect.Reply.class::isInstance)
                .map(reply -> (Answer.Refused) ((Effect.Reply) reply).answer())
                .findFirst()
                .orElse(null);
    }

    private Answer.Refusal refusal(Request request, long inNanos) {
        Answer.Refused refused = refused(request, inNanos);
        return refused == null ? null : refused.refusal();
    }

    private List<Submission> forwarded() {
        turn.end().clear();
        submissions.forward(LEADER, Ballot.of(2, 1, LEADER));
        return turn.end().stream()
                .filter(Effect.Send.class::isInstance)
                .map(send -> ((Message.Forward) ((Effect.Send) send).message()).submissions())
                .findFirst()
                .orElse(List.of());
    }

    @Test
    void whoWouldWaitForLongIsToldWhenToTryAgain() {
        steady(16);
        admission.proposed(admission.mayPropose());
        Answer.Refused refused = refused(write(200 * KIBIBYTE), 2_000_000_000);
        assertThat(refused.refusal()).isEqualTo(Answer.Refusal.OVERLOADED);
        // 200 KiB and what hangs on them at 1.5 KiB a second.
        assertThat(refused.detail()).matches(".*try again in 13\\d\\d\\d\\d ms");
        assertThat(refused(write(200 * KIBIBYTE), 600_000_000_000L))
                .as("who can wait")
                .isNull();
    }

    @Test
    void moreThanTheRequestsBudgetIsRefused() {
        assertThat(refused(write(300 * KIBIBYTE), 2_000_000_000)).isNull();
        Answer.Refused refused = refused(write(300 * KIBIBYTE), 2_000_000_000);
        assertThat(refused.refusal()).isEqualTo(Answer.Refusal.OVERLOADED);
        assertThat(refused.detail()).matches(".*bytes are under way.*try again in \\d+ ms");
    }

    @Test
    void smallRequestsPassLargeOnes() {
        steady(16);
        admission.proposed(admission.mayPropose());
        assertThat(refused(write(100 * KIBIBYTE), 600_000_000_000L)).isNull();
        assertThat(refused(write(10), 10_000_000_000L)).isNull();

        assertThat(forwarded())
                .singleElement()
                .matches(submission -> submission.request().weight() < 4 * KIBIBYTE);
        assertThat(forwarded()).isEmpty();
        for (int i = 0; i < 100; i++) {
            hears(1, decided);
            hears(2, decided);
            passes(50_000);
        }
        assertThat(forwarded()).as("when there is room").hasSize(1);
        assertThat(submissions.bytes()).isPositive();
    }

    /** Who is turned away may come again; who waits until its deadline is executed for nothing. */
    @Test
    void whereRowsHaveNoRoomNobodyQueuesUpWhoWouldWaitForTooLong() {
        roomMicros = 900_000;
        assertThat(refused(write(10), 2_000_000_000L)).isNull();
        roomMicros = 1_100_000;
        assertThat(refused(write(10), 2_000_000_000L)).isNotNull();
        assertThat(refused(write(10), 20_000_000_000L)).isNull();
    }

    @Test
    void whatIsAnsweredTakesNoRoom() {
        refused(write(100 * KIBIBYTE), 1_000_000);
        assertThat(submissions.bytes()).isGreaterThan(100 * KIBIBYTE);
        passes(10_000);
        submissions.tick();
        assertThat(submissions.bytes()).isZero();
        assertThat(submissions.waiting()).isZero();
    }
}
