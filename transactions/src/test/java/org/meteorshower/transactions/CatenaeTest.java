/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.StoredRow;

/** The core as a whole, where several parts must agree. */
class CatenaeTest {
    private static final long LIFE = 7;
    private static final long THEIRS = Ballot.of(1, 1, 1);
    private static final Tokens RING = row -> row.hashCode();
    private static final StoredRow PAST_GONE = new StoredRow(StoredRow.PAST_GONE, Row.ABSENT);

    private final Catenae core = new Catenae(new Members(0, 3), Settings.DEFAULT, Recovery.founding(3, LIFE), RING);
    private long nanos = 10_000_000_000L;

    private List<Effect> step(Event event) {
        nanos += 1_000_000;
        return core.step(event, new Now(nanos / 1_000, nanos));
    }

    /** What a step alarms of, and what the batches that it writes alarm of when they are durable. */
    private List<Effect.AlarmKind> alarms(Event event, long fence) {
        List<Effect.AlarmKind> kinds = new ArrayList<>();
        for (Effect effect : step(event)) {
            if (effect instanceof Effect.Alarm alarm) {
                kinds.add(alarm.kind());
            } else if (effect instanceof Effect.Persist persist) {
                kinds.addAll(alarms(new Event.Persisted(persist.batch(), fence), fence));
            }
        }
        return kinds;
    }

    private static Event rowWithoutPast() {
        return new Event.RowsRead(1, Map.of(new RowKey("t", "a"), PAST_GONE));
    }

    /** Half a second of ticks, a millisecond each. */
    private List<Effect> waits() {
        List<Effect> effects = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            effects.addAll(step(new Event.Tick()));
        }
        return effects;
    }

    private void otherLeads() {
        List<Integer> disks = List.of(1, 1, 1);
        step(new Event.Tick());
        step(new Event.Received(1, new Message.Propose(0, THEIRS, 0, new Entry(1, THEIRS, List.of()), 0)));
        step(new Event.Received(1, new Message.Accepted(0, THEIRS, 0, disks)));
        step(new Event.Received(2, new Message.Accepted(0, THEIRS, 0, disks)));
    }

    @Test
    void whatClientsAskForGoesOnceToTheDataCentreThatLeadsTheLane() {
        otherLeads();
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 100_000_000));
        effects.addAll(waits());

        assertThat(effects)
                .filteredOn(effect -> effect instanceof Effect.Send send && send.message() instanceof Message.Forward)
                .containsExactly(new Effect.Send(
                        1,
                        new Message.Forward(THEIRS, List.of(new Submission((LIFE << 32) + 1, new Request.Open()))),
                        true));
    }

    @Test
    void whatWasForwardedAndNotAnsweredIsUnknown() {
        otherLeads();
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 100_000_000));
        effects.addAll(waits());

        assertThat(effects)
                .filteredOn(effect -> effect instanceof Effect.Reply)
                .singleElement()
                .satisfies(reply -> assertThat(((Effect.Reply) reply).answer()).isInstanceOf(Answer.Unknown.class));
    }

    @Test
    void whatNobodyLeadsForIsRefusedAtItsDeadline() {
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 100_000_000));
        effects.addAll(waits());

        assertThat(effects)
                .filteredOn(effect -> effect instanceof Effect.Reply)
                .singleElement()
                .satisfies(reply -> assertThat(((Effect.Reply) reply).answer()).isInstanceOf(Answer.Refused.class));
    }

    @Test
    void aProcessWhoseRowsPastAnotherProcessHasForgottenStops() {
        alarms(new Event.Tick(), LIFE);

        assertThat(alarms(rowWithoutPast(), LIFE + 1)).containsExactly(Effect.AlarmKind.STOPPED);
        assertThat(core.isStopped()).isTrue();
    }

    @Test
    void aProcessWhoseRowsPastTheStoreHasLostAsksForASnapshot() {
        alarms(new Event.Tick(), LIFE);

        assertThat(alarms(rowWithoutPast(), LIFE)).containsExactly(Effect.AlarmKind.TABLES_AHEAD);
        assertThat(core.isStopped()).isFalse();
    }

    private static List<Answer> answers(List<Effect> effects) {
        return effects.stream()
                .filter(effect -> effect instanceof Effect.Reply)
                .map(effect -> ((Effect.Reply) effect).answer())
                .toList();
    }

    private static boolean isTurnedAway(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal() == Answer.Refusal.NOT_READY;
    }

    @Test
    void whoRetiresTakesNobodyAndGivesBackWhatIsNotProposed() {
        step(new Event.Submitted(5, new Request.Open(), nanos + 10_000_000_000L));

        assertThat(answers(step(new Event.Retire()))).singleElement().matches(CatenaeTest::isTurnedAway);
        assertThat(answers(step(new Event.Submitted(6, new Request.Open(), nanos + 10_000_000_000L))))
                .singleElement()
                .matches(CatenaeTest::isTurnedAway);
        assertThat(core.isStopped()).isFalse();
    }

    @Test
    void inTheEndItIsUnknownWhatBecomesOfWhatWasForwarded() {
        otherLeads();
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 10_000_000_000L));
        effects.addAll(waits());
        assertThat(answers(effects)).isEmpty();
        assertThat(answers(step(new Event.Retire()))).isEmpty();

        assertThat(answers(step(new Event.End()))).singleElement().isInstanceOf(Answer.Unknown.class);
        assertThat(core.isStopped()).isTrue();
    }

    /** Once all have noted that they can read that, what clients ask for is bytes. There is no way back. */
    @ParameterizedTest
    @CsvSource({"7, 8, false", "8, 9, true", "9, 8, true"})
    void fromFormat9OnSubmissionsHaveFronts(int first, int then, boolean isFronted) {
        otherLeads();
        step(new Event.UsesFormat(first));
        step(new Event.UsesFormat(then));
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 100_000_000));
        effects.addAll(waits());

        assertThat(forwarded(effects)).singleElement().satisfies(submission -> assertThat(submission.body() != null)
                .isEqualTo(isFronted));
    }

    /** Some waited for their entry when the format changed. */
    @Test
    void whatWaitedBeforeGoesIntoTheSameEntry() {
        otherLeads();
        List<Effect> effects = step(new Event.Submitted(5, new Request.Open(), nanos + 100_000_000));
        effects.addAll(step(new Event.UsesFormat(9)));
        effects.addAll(step(new Event.Submitted(6, new Request.Open(), nanos + 100_000_000)));
        effects.addAll(waits());

        assertThat(forwarded(effects)).hasSize(2).allSatisfy(submission -> assertThat(submission.body())
                .isNotNull());
    }

    private static List<Submission> forwarded(List<Effect> effects) {
        List<Submission> submissions = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send && send.message() instanceof Message.Forward forward) {
                submissions.addAll(forward.submissions());
            }
        }
        return submissions;
    }

    /** It stands in an entry all the same: every data centre executes that nothing comes of it. */
    @Test
    void whatIsNotWhatItsFrontSaysEndsInAnError() {
        Bodies bodies = new Bodies(RING);
        Body opens = bodies.of(new Request.Open());
        Submission bad = new Submission(7, new Body(Front.ofRows(5), opens.told(), opens.request()));
        Submission good = new Submission(8, opens);
        List<Observer.Executed> executed = new ArrayList<>();
        Catenae seen =
                new Catenae(new Members(0, 3), Settings.DEFAULT, Recovery.founding(3, LIFE), RING, new Observer() {
                    @Override
                    public void executed(Executed entry) {
                        executed.add(entry);
                    }

                    @Override
                    public void jumped(Checkpoint to) {}
                });
        List<Event> events = new ArrayList<>(List.of(new Event.Tick()));
        for (int lane = 0; lane < 3; lane++) {
            Entry entry = new Entry(1, THEIRS, lane == 1 ? List.of(bad, good) : List.of());
            events.add(new Event.Received(1, new Message.Decided(lane, 0, List.of(entry))));
        }
        SessionId opened = new SessionId(1, 0, 1);
        events.add(new Event.RowsRead(1, Map.of(opened.row(), StoredRow.NEVER_WRITTEN)));
        for (Event event : events) {
            seen.step(event, new Now(1_000_000, 1_000_000_000));
        }

        assertThat(executed).hasSizeGreaterThan(1);
        Observer.Executed second = executed.get(1);
        assertThat(second.entry())
                .isEqualTo(new Entry(
                        1, THEIRS, List.of(new Submission(7, Bodies.NOTHING), new Submission(8, new Request.Open()))));
        assertThat(second.outcomes().get(0)).isInstanceOf(Outcome.Aborted.class);
        assertThat(second.outcomes().get(1)).isInstanceOf(Outcome.Committed.class);
    }
}
