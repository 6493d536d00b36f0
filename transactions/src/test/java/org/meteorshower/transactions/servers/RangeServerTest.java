/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.A1;
import static org.meteorshower.transactions.servers.Bench.B0;
import static org.meteorshower.transactions.servers.Bench.B1;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;
import static org.meteorshower.transactions.servers.Bench.row;
import static org.meteorshower.transactions.servers.Bench.slice;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.servers.ChainMessage.Again;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Ended;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Progress;

class RangeServerTest {
    /** Reads a1 and writes a0: the turn is at range 0, and range 1 only reads. */
    private static final Request.Once READS_A1 = once(copy(A1, A0));

    /** Writes a0 and a1: the turn is at range 0. */
    private static final Request.Once WRITES_BOTH = once(copy(A0, A0), copy(A1, A1));

    private final Bench turn = new Bench(0);
    private final Bench other = new Bench(1);

    @Test
    void itKnowsNothingBeforeItHearsOfK() {
        turn.tick();

        assertThat(turn.take(Progress.class)).extracting(Progress::next).containsExactly(RangeServer.NOT_BEGUN);
    }

    @Test
    void itBeginsAtK() {
        turn.hears(7, 7, 7, 7);

        assertThat(turn.server.executed()).isEqualTo(7);
    }

    @Test
    void countsWithoutASliceHaveNothingForIt() {
        turn.hears(0, 5);

        assertThat(turn.server.executed()).isEqualTo(5);
    }

    @Test
    void aGapIsNotTakenForEmpty() {
        turn.hears(0, 1);
        turn.hears(2, 3, slice(2, once(copy(A0, A0))));
        assertThat(turn.server.executed()).isEqualTo(1);

        turn.hears(1, 2, slice(1, once(copy(A0, A0))));
        assertThat(turn.server.executed()).isEqualTo(2);
    }

    @Test
    void aSliceThatComesTwiceIsExecutedOnce() {
        turn.hears(0, 1, slice(0, once(copy(A0, A0))));
        turn.hears(0, 1, slice(0, once(copy(A0, A0))));

        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    @Test
    void anOlderSequencerIsNotHeardAnyMore() {
        turn.hears(new ChainMessage.Slices(2, 0, 0, 1, List.of(), 0, 0, 0, List.of()));
        turn.hears(new ChainMessage.Slices(1, 0, 1, 9, List.of(), 0, 0, 0, List.of()));

        assertThat(turn.server.executed()).isEqualTo(1);
    }

    @Test
    void whatTouchesOneRangeIsToldToNoOther() {
        turn.hears(0, 2, slice(0, once(copy(A0, B0))), slice(1, once(copy(B0, A0))));

        assertThat(turn.sent)
                .filteredOn(ChainMessage.Handed.class::isInstance)
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).isInstanceOf(Ended.class));
        assertThat(turn.server.evaluations()).isEqualTo(2);
    }

    @Test
    void itTellsTheTurnsRangeWhatItsRowsHold() {
        other.hears(0, 2, slice(0, once(copy(A1, A1))), slice(1, READS_A1));

        assertThat(other.take(Forward.class)).containsExactly(new Forward(Version.of(1, 0), 1, 0, Map.of(A1, row(1))));
    }

    @Test
    void itGoesForwardOnlyWhereItHeadsItsQueues() {
        other.hears(0, 2, slice(0, WRITES_BOTH), slice(1, READS_A1));
        assertThat(other.take(Forward.class)).extracting(Forward::version).containsExactly(Version.of(0, 0));

        other.hearsBackward(0, 0, Map.of(A1, row(5)));
        assertThat(other.take(Forward.class)).containsExactly(new Forward(Version.of(1, 0), 1, 0, Map.of(A1, row(5))));
    }

    @Test
    void aRowThatIsOnlyReadIsPassedOnAtOnce() {
        other.hears(0, 2, slice(0, READS_A1), slice(1, once(copy(A1, A1))));

        assertThat(other.server.executed()).isEqualTo(2);
        assertThat(other.server.evaluations()).isEqualTo(1);
    }

    @Test
    void aRowThatMayBeWrittenIsPassedOnOnceItIsKnownWhatIsWritten() {
        other.hears(0, 2, slice(0, WRITES_BOTH), slice(1, once(copy(A1, A1))));
        assertThat(other.server.evaluations()).isZero();

        other.hearsBackward(0, 0, Map.of());
        assertThat(other.server.evaluations()).isEqualTo(1);
    }

    @Test
    void theTurnWaitsForAllRangesAndTellsThoseThatMayBeWritten() {
        turn.hears(0, 1, slice(0, WRITES_BOTH));
        assertThat(turn.server.evaluations()).isZero();

        turn.hearsForward(0, 1, Map.of(A1, row(3)));
        assertThat(turn.server.evaluations()).isEqualTo(1);
        assertThat(turn.take(Backward.class))
                .containsExactly(new Backward(Version.of(0, 0), 0, 1, 0, Map.of(A1, row(4))));
    }

    @Test
    void aRangeThatIsOnlyReadIsNotToldWhatIsWritten() {
        turn.hears(0, 1, slice(0, READS_A1));
        turn.hearsForward(0, 1, Map.of(A1, row(3)));

        assertThat(turn.server.executed()).isEqualTo(1);
        assertThat(turn.take(Backward.class)).isEmpty();
    }

    @Test
    void whatComesBeforeItsSliceIsNotLost() {
        turn.hears(0, 0);
        turn.hearsForward(0, 1, Map.of(A1, row(3)));
        turn.hears(0, 1, slice(0, WRITES_BOTH));

        assertThat(turn.server.executed()).isEqualTo(1);
    }

    @Test
    void whatComesTwiceIsEvaluatedOnce() {
        turn.hears(0, 1, slice(0, WRITES_BOTH));
        turn.hearsForward(0, 1, Map.of(A1, row(3)));
        turn.hearsForward(0, 1, Map.of(A1, row(3)));

        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    @Test
    void whatBecomesOfItMayBeToldBeforeItHasToldWhatItHolds() {
        other.hears(0, 0);
        other.hearsBackward(0, 0, Map.of(A1, row(4)));
        other.hears(0, 2, slice(0, WRITES_BOTH), slice(1, READS_A1));

        assertThat(other.take(Forward.class)).last().extracting(Forward::held).isEqualTo(Map.of(A1, row(4)));
    }

    @Test
    void whoWaitsForATickAsksTheRangeThatItWaitsFor() {
        turn.hears(3, 4, 3, 3, slice(3, WRITES_BOTH));
        turn.tick();
        assertThat(turn.take(Again.class)).isEmpty();

        turn.tick();
        assertThat(turn.take(Again.class)).containsExactly(new Again(0, 1, 3));
    }

    @Test
    void whoWaitsForWhatIsWrittenAsksTheTurn() {
        other.hears(3, 4, 3, 3, slice(3, WRITES_BOTH));
        other.tick();
        other.tick();

        assertThat(other.take(Again.class)).containsExactly(new Again(1, 0, 3));
    }

    @Test
    void whatWasHandedIsHandedAgainToWhoAsks() {
        other.hears(0, 1, slice(0, READS_A1));
        other.take(Forward.class);
        other.hears(new Again(0, 1, 0));

        assertThat(other.take(Forward.class)).hasSize(1);
    }

    @Test
    void whatWasHandedIsKeptAlthoughTheOwnTablesHoldIt() {
        other.hears(0, 1, 0, 1, slice(0, READS_A1));
        other.take(Forward.class);
        other.hears(new Again(0, 1, 0));

        assertThat(other.take(Forward.class)).hasSize(1);
    }

    @Test
    void whatKHasPassedIsNotKept() {
        other.hears(0, 1, 0, 1, slice(0, READS_A1));
        long before = other.server.bytes();
        other.hears(1, 1, 1, 1);

        assertThat(other.server.bytes()).isLessThan(before);
    }

    @Test
    void whoHasLetGoOfWhatIsAskedForBeginsAnew() {
        Bench small = new Bench(1, 10_000);
        small.hears(0, 0);
        hearsTen(small, 1);
        small.take(Forward.class);
        small.hears(new Again(0, 1, 0));
        assertThat(small.take(Progress.class)).extracting(Progress::next).containsExactly(0L);

        hearsTen(small, 0);
        assertThat(small.take(Forward.class)).hasSize(10);
    }

    /** @param times that as much is executed by the receiver as was heard before */
    private static void hearsTen(Bench small, long times) {
        for (int count = 0; count < 10; count++) {
            small.hears(new ChainMessage.Slices(
                    1, 1, count, count + 1, List.of(slice(count, READS_A1)), 0, 0, 0, List.of(times * count, 0L)));
        }
    }

    @Test
    void whatItsReceiverHasNotExecutedIsKeptHoweverMuchItIs() {
        Bench small = new Bench(1, 10_000);
        hearsTen(small, 0);
        small.take(Forward.class);
        small.hears(new Again(0, 1, 0));

        assertThat(small.take(Forward.class)).hasSize(10);
        assertThat(small.server.life().begun()).isZero();
    }

    @Test
    void aCutIsAsOfItsCountAlthoughMoreIsExecuted() {
        turn.writesAtOnce = false;
        turn.hears(0, 1, 0, 0, slice(0, WRITES_BOTH));
        turn.hears(1, 2, 0, 2, slice(1, once(copy(B0, B0))));
        turn.hears(2, 3, 0, 2, slice(2, once(copy(B0, B0))));
        assertThat(turn.server.evaluations()).isEqualTo(2);

        turn.hearsForward(0, 1, Map.of(A1, Row.ABSENT));
        turn.writeAll();
        assertThat(turn.written.get(0)).extracting(RowWrite::key).containsExactly(A0, B0);
        assertThat(turn.written.get(0).get(1).row().version()).isEqualTo(Version.of(1, 0));
    }

    @Test
    void aCutIsToldOnceItIsInTheTables() {
        turn.writesAtOnce = false;
        turn.hears(0, 1, 0, 1, slice(0, once(copy(A0, A0))));
        turn.tick();
        assertThat(turn.take(Progress.class)).extracting(Progress::heldCut).containsOnly(-1L);

        turn.writeAll();
        assertThat(turn.take(Progress.class)).extracting(Progress::heldCut).containsExactly(1L);
    }

    /** Its rows as of the cut may be gone. */
    @Test
    void whoHasPassedACutThatNobodyToldHimOfBeginsAnew() {
        turn.hears(0, 3, slice(0, once(copy(A0, A0))), slice(2, once(copy(A0, A0))));
        turn.hears(3, 3, 0, 1);

        assertThat(turn.server.executed()).isZero();
        assertThat(turn.server.life().begun()).isEqualTo(1);
    }

    @Test
    void whoHearsOfAKThatHasPassedHimBeginsAnewThere() {
        turn.hears(0, 1, slice(0, WRITES_BOTH));
        turn.hears(5, 6, 5, 5, slice(5, once(copy(B0, B0))));

        assertThat(turn.server.executed()).isEqualTo(6);
    }

    @Test
    void whereATransactionHasItsTurn() {
        assertThat(visit(READS_A1).turn()).isZero();
        assertThat(visit(once(copy(A0, B1))).turn()).isEqualTo(1);
        assertThat(visit(once(copy(A0, B1))).mayWriteIn(0)).isFalse();
    }

    private static Visit visit(Request request) {
        return Visit.of(
                new Bodies(Bench.division(2)).of(request), new SessionId(0, 0, 0), Version.of(0, 0), Bench.division(2));
    }
}
