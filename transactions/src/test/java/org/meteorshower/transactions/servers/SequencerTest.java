/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.A1;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.servers.ChainMessage.Again;
import org.meteorshower.transactions.servers.ChainMessage.Ended;
import org.meteorshower.transactions.servers.ChainMessage.Progress;
import org.meteorshower.transactions.servers.ChainMessage.Slices;

class SequencerTest {
    private static final Life FIRST = new Life(0, 0, 0);
    private static final long ROOM = 1 << 20;

    private final List<Placed> order = new ArrayList<>();
    private final List<ChainMessage> sent = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final List<Long> durable = new ArrayList<>();
    private final List<Long> due = new ArrayList<>();
    private Sequencer sequencer = sequencer(1, 0);

    private Sequencer sequencer(long life, long done) {
        return new Sequencer(
                life,
                Bench.division(2),
                count -> count < order.size() ? order.get((int) count) : null,
                new Hearing(),
                done,
                0,
                1 << 20);
    }

    private final class Hearing implements Sequencer.Listener {
        @Override
        public void send(ChainMessage message, int range) {
            sent.add(message);
        }

        @Override
        public void ended(long count, int index, Outcome outcome) {
            ended.add(count + "." + index);
        }

        @Override
        public void executed(long count, long digest) {}

        @Override
        public void makeDurable(long count, long digest) {
            durable.add(count);
        }

        @Override
        public void endsFrom(long millis) {
            due.add(millis);
        }
    }

    private void merge(Request... requests) {
        List<Submission> submissions =
                List.of(requests).stream().map(each -> new Submission(0, each)).toList();
        long number = order.size();
        Merged merged = new Merged(number, 0, number, number + 1, new Entry(number + 1, 1, submissions));
        order.add(Placed.of(merged, new Bodies(Bench.division(2))));
    }

    private static Request at(RowKey row) {
        return once(copy(row, row));
    }

    private void told(int range, Life life, long next, long executed, long heldCut, long room) {
        sequencer.received(new Progress(range, life, next, executed, heldCut, Row.NEVER, room));
    }

    private void told(int range, long next, long executed) {
        told(range, FIRST, next, executed, -1, ROOM);
    }

    private void outcome(long count, int index, int range) {
        sequencer.received(new Ended(Version.of(count, index), range, new Outcome.Committed(List.of()), count));
    }

    private List<Slices> slices(int range) {
        List<Slices> its = sent.stream()
                .filter(Slices.class::isInstance)
                .map(Slices.class::cast)
                .filter(slices -> slices.range() == range)
                .toList();
        sent.clear();
        return its;
    }

    @Test
    void aRangeGetsWhatTouchesItAndIsToldOfAllCounts() {
        merge(at(A0), at(A1));
        merge(at(A1));
        merge(once(copy(A0, A1)));
        told(0, 0, 0);

        List<Slices> its = slices(0);
        assertThat(its).hasSize(1);
        assertThat(its.get(0).from()).isZero();
        assertThat(its.get(0).below()).isEqualTo(3);
        assertThat(its.get(0).slices()).extracting(Slice::count).containsExactly(0L, 2L);
        assertThat(its.get(0).slices().get(0).pieces())
                .extracting(Slice.Piece::index)
                .containsExactly(0);
    }

    @Test
    void nothingIsSentToARangeThatWasNotHeard() {
        merge(at(A0));
        sequencer.advance();

        assertThat(slices(0)).isEmpty();
    }

    @Test
    void noMoreIsSentThanThereIsRoomForButTheFirstSliceIs() {
        merge(at(A0));
        merge(at(A0));
        told(0, FIRST, 0, 0, -1, 0);
        assertThat(slices(0)).extracting(Slices::below).containsExactly(1L);

        told(1, 2, 2);
        told(0, FIRST, 1, 1, -1, 0);
        assertThat(slices(0)).extracting(Slices::below).containsExactly(2L);
    }

    /** What it holds others need first. */
    @Test
    void aSliceThatIsNotTheFirstWaitsForRoomAlthoughNothingIsUnderWayThere() {
        merge(at(A1));
        merge(at(A0));
        told(0, FIRST, 1, 1, -1, 0);

        assertThat(slices(0)).extracting(Slices::below).doesNotContain(2L);
    }

    @Test
    void whatWasLostIsSentAgain() {
        merge(at(A0));
        told(0, 0, 0);
        slices(0);
        told(0, 0, 0);

        assertThat(slices(0)).extracting(Slices::from).contains(0L);
    }

    @Test
    void aServerThatBeginsAnewGetsItsSlicesOnceMore() {
        merge(at(A0));
        told(0, 0, 0);
        told(0, 1, 1);
        slices(0);
        told(0, new Life(1, 0, 0), RangeServer.NOT_BEGUN, RangeServer.NOT_BEGUN, -1, ROOM);

        assertThat(slices(0)).extracting(Slices::from).containsExactly(0L);
    }

    @Test
    void howFarAServerIsCountsInItsYoungestLifeOnly() {
        merge(at(A0));
        told(1, 1, 1);
        told(0, new Life(1, 0, 0), 0, 0, -1, ROOM);
        told(0, 1, 1);
        outcome(0, 0, 0);
        assertThat(sequencer.count()).isZero();

        told(0, new Life(1, 0, 0), 1, 1, -1, ROOM);
        assertThat(sequencer.count()).isEqualTo(1);
    }

    @Test
    void itCountsWhatAllRangesHaveExecutedAndOfWhichItKnowsTheOutcome() {
        merge(at(A0));
        told(0, 0, 0);
        told(0, 1, 1);
        outcome(0, 0, 0);
        assertThat(sequencer.count()).isZero();

        told(1, 1, 1);
        assertThat(sequencer.count()).isEqualTo(1);
    }

    @Test
    void anOutcomeIsToldOnce() {
        merge(at(A0));
        told(0, 0, 0);
        outcome(0, 0, 0);
        outcome(0, 0, 0);

        assertThat(ended).containsExactly("0.0");
    }

    @Test
    void anOutcomeOfASubmissionThatThereIsNotIsNotHeard() {
        merge(at(A0));
        told(0, 0, 0);
        outcome(0, 1, 0);

        assertThat(ended).isEmpty();
    }

    @Test
    void anOutcomeThatWasLostIsAskedFor() {
        merge(at(A0));
        told(0, 0, 0);
        told(0, 1, 1);
        told(1, 1, 1);
        sequencer.tick();

        assertThat(sent).contains(new Again(ChainMessage.SEQUENCER, 0, 0));
    }

    @Test
    void aSequencerWaitsForOutcomesOfWhatWasSentBeforeIt() {
        merge(at(A0));
        told(0, 1, 1);
        told(1, 1, 1);
        assertThat(sequencer.count()).isZero();

        outcome(0, 0, 0);
        assertThat(sequencer.count()).isEqualTo(1);
    }

    @Test
    void aCutIsNoLowerThanWhatAnybodyWasSent() {
        merge(at(A0));
        merge(at(A0));
        told(0, 0, 0);
        told(1, FIRST, 0, 0, -1, 0);
        sequencer.cut();
        sequencer.tick();

        assertThat(slices(1)).last().extracting(Slices::cut).isEqualTo(2L);
    }

    @Test
    void noCutIsDueBeforeAllWereHeard() {
        merge(at(A0));
        told(0, 0, 0);
        sequencer.cut();
        sequencer.tick();

        assertThat(slices(0)).extracting(Slices::cut).containsOnly(0L);
    }

    private void executedWithCut() {
        merge(at(A0));
        told(0, 0, 0);
        told(1, 0, 0);
        sequencer.cut();
        told(0, 1, 1);
        told(1, 1, 1);
    }

    @Test
    void kIsACutThatTheTablesOfAllRangesHold() {
        executedWithCut();
        outcome(0, 0, 0);
        told(0, FIRST, 1, 1, 1, ROOM);
        assertThat(durable).isEmpty();

        told(1, FIRST, 1, 1, 1, ROOM);
        assertThat(durable).containsExactly(1L);
        assertThat(sequencer.done()).isZero();
        sequencer.isDurable(1);
        assertThat(sequencer.done()).isEqualTo(1);
    }

    /** It says nothing of what the rows were at this one. */
    @Test
    void toHoldALaterCutIsNotToHoldThisOne() {
        executedWithCut();
        outcome(0, 0, 0);
        told(0, FIRST, 2, 2, 2, ROOM);
        told(1, FIRST, 1, 1, 1, ROOM);

        assertThat(durable).isEmpty();
    }

    @Test
    void kDoesNotPassAnOutcomeThatIsNotKnown() {
        executedWithCut();
        told(0, FIRST, 1, 1, 1, ROOM);
        told(1, FIRST, 1, 1, 1, ROOM);
        assertThat(durable).isEmpty();

        outcome(0, 0, 0);
        assertThat(durable).containsExactly(1L);
    }

    @Test
    void aNewSequencerGoesOnWhereItsServersAre() {
        merge(at(A0));
        merge(at(A0));
        sequencer = sequencer(2, 1);
        told(0, 2, 2);

        assertThat(slices(0)).isEmpty();
        assertThat(sequencer.count()).isEqualTo(1);
    }

    /** What is looked for may be in the tables since the last K only. */
    @Test
    void withKItIsToldFromWhenOnSomethingEnds() {
        executedWithCut();
        outcome(0, 0, 0);
        sequencer.received(new Progress(0, FIRST, 1, 1, 1, 500, ROOM));
        sequencer.received(new Progress(1, FIRST, 1, 1, 1, 700, ROOM));
        sequencer.received(new Progress(1, FIRST, 1, 1, 1, 400, ROOM));
        assertThat(due).isEmpty();

        sequencer.isDurable(1);
        assertThat(due).containsExactly(400L);
    }

    @Test
    void whatEndsOfAnotherCutIsNotOfThisOne() {
        sequencer.received(new Progress(0, FIRST, 1, 1, 0, 300, ROOM));
        executedWithCut();
        outcome(0, 0, 0);
        told(0, FIRST, 1, 1, 1, ROOM);
        told(1, FIRST, 1, 1, 1, ROOM);
        sequencer.isDurable(1);

        assertThat(due).containsExactly(Row.NEVER);
    }
}
