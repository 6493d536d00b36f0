/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;

/**
 * A data centre that was started again. Of lane 1 positions below 20 are truncated, those below 30 settled, 30 is a
 * vote, and 31 was learned. Its checkpoint is at 25.
 */
class CatchUpTest {
    private static final long THEIRS = Ballot.of(1, 1, 1);
    private static final int PAGE = Settings.DEFAULT.budget().pageBytes();
    private static final Checkpoint CHECKPOINT = new Checkpoint(75, List.of(25L, 25L, 25L), List.of(9L, 9L, 9L), 3);

    private final Catenae core = new Catenae(
            new Members(0, 3),
            Settings.DEFAULT,
            new Recovery(
                    7,
                    1,
                    List.of(1, 1, 1),
                    Map.of(),
                    List.of(
                            AcceptorState.EMPTY,
                            new AcceptorState(THEIRS, 20, List.of(new AcceptedEntry(30, THEIRS, entry(30)))),
                            AcceptorState.EMPTY),
                    List.of(List.of(), List.of(new AcceptedEntry(31, 0, entry(31))), List.of()),
                    List.of(30L, 30L, 30L),
                    CHECKPOINT,
                    1,
                    1,
                    null,
                    0),
            row -> row.hashCode());
    private long nanos = 10_000_000_000L;

    private static Entry entry(long epoch) {
        return new Entry(epoch, THEIRS, List.of());
    }

    private List<Effect> step(Event event) {
        nanos += 1_000_000;
        return core.step(event, new Now(nanos / 1_000, nanos));
    }

    private List<Effect> fetch(long from) {
        return step(new Event.Received(1, new Message.Fetch(1, from)));
    }

    private static List<Message> sent(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Send.class::isInstance)
                .map(send -> ((Effect.Send) send).message())
                .toList();
    }

    private static List<Effect.ReadLog> reads(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.ReadLog.class::isInstance)
                .map(Effect.ReadLog.class::cast)
                .toList();
    }

    @Test
    void whatItIsToExecuteIsReadFromTheLogUpToWhatIsSettled() {
        assertThat(reads(step(new Event.Tick())))
                .extracting(Effect.ReadLog::lane, Effect.ReadLog::from, Effect.ReadLog::below)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0, 25L, 30L),
                        org.assertj.core.groups.Tuple.tuple(1, 25L, 30L),
                        org.assertj.core.groups.Tuple.tuple(2, 25L, 30L));
    }

    @Test
    void whatIsSettledIsReadFromTheLogForWhoAsks() {
        step(new Event.Tick());
        Effect.ReadLog read = reads(fetch(22)).get(0);
        assertThat(read).isEqualTo(new Effect.ReadLog(read.request(), 1, 22, 30, PAGE));
        assertThat(sent(step(new Event.LogRead(read.request(), 1, 22, List.of(entry(22), entry(23))))))
                .contains(new Message.Decided(1, 22, List.of(entry(22), entry(23))));
    }

    /** An earlier process may have asked for many pages, of which the answers come at one time. */
    @Test
    void pagesThatNobodyAskedForAreTakenInAsLongAsThereIsRoom() {
        long most = Settings.DEFAULT.budget().laneBytes() / 3;
        Expression content = new Expression.Constant(Value.of("x".repeat((int) most / 10)));
        Statement put = new Statement.Put(new RowKey("t", "k"), "v", content);
        Submission submission = new Submission(1, new Request.Once(new Transaction(List.of(), List.of(put))));
        Entry large = new Entry(9, THEIRS, List.of(submission));
        for (int position = 30; position < 60; position++) {
            step(new Event.Received(1, new Message.Decided(1, position, List.of(large))));
        }
        assertThat(core.usage().laneBytes()).isLessThan(most);
        assertThat(core.decidedBelow(1)).isGreaterThan(32);
    }

    /** The log holds a vote there, which may have lost. */
    @Test
    void aVoteIsNotToldAsDecided() {
        step(new Event.Tick());
        List<Effect> effects = fetch(30);
        assertThat(reads(effects)).isEmpty();
        assertThat(sent(effects)).isEmpty();
    }

    @Test
    void whatIsGoneIsMadeGoodByASnapshot() {
        step(new Event.Tick());
        Effect.ReadLog read = reads(fetch(12)).get(0);
        assertThat(sent(step(new Event.LogRead(read.request(), 1, 12, List.of()))))
                .contains(new Message.Offer(CHECKPOINT));
    }

    /** What the log lacks of what is to be executed can only be had from another data centre. */
    @Test
    void whoseOwnLogIsBrokenAsksForASnapshotAndGivesNone() {
        Effect.ReadLog own = reads(step(new Event.Tick())).get(0);
        step(new Event.LogRead(own.request(), own.lane(), own.from(), List.of()));
        step(new Event.Received(
                1,
                new Message.Progress(
                        new Message.ClockReading(0, 0, -1, 0),
                        List.of(90L, 90L, 90L),
                        List.of(9L, 9L, 9L),
                        270,
                        0,
                        0,
                        null,
                        true)));
        assertThat(core.isWhole()).isTrue();
        step(new Event.Tick());
        assertThat(core.isWhole()).isFalse();
        assertThat(sent(step(new Event.Tick()))).contains(new Message.Fetch(0, -1));
        assertThat(sent(step(new Event.Received(2, new Message.Fetch(1, -1)))))
                .noneMatch(Message.Offer.class::isInstance);
    }

    @Test
    void aSnapshotIsTakenInPageByPageAndExecutedOnFromThere() {
        aSnapshotIsOffered(2);
        List<Effect> effects = step(new Event.Received(1, new Message.Page(offered(), "", Map.of(), Map.of(), "")));
        long request = ((Effect.WritePage) effects.stream()
                        .filter(Effect.WritePage.class::isInstance)
                        .findFirst()
                        .orElseThrow())
                .request();
        assertThat(persistAll(step(new Event.PageWritten(request))))
                .contains(new Durable.Truncate(1, 90), new Durable.Done(offered(), 2));
        assertThat(core.checkpoint()).isEqualTo(offered());
        assertThat(core.decidedBelow(1)).isEqualTo(90);
        assertThat(core.isWhole()).isTrue();
    }

    private static Checkpoint offered() {
        return new Checkpoint(270, List.of(90L, 90L, 90L), List.of(50L, 50L, 50L), 8);
    }

    private void aSnapshotIsOffered(int edition) {
        assertThat(persistAll(step(new Event.Received(1, new Message.Offer(offered())))))
                .contains(new Durable.Installing(offered(), edition, 1, ""));
        assertThat(core.isWhole()).isFalse();
    }

    /** Everything that a step writes is durable, and what is written for that. */
    private List<Durable> persistAll(List<Effect> effects) {
        List<Durable> records = new java.util.ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Persist persist) {
                records.addAll(persist.records());
                records.addAll(persistAll(step(new Event.Persisted(persist.batch(), 7))));
            }
        }
        return records;
    }
}
