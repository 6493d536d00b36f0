/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.A1;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;
import static org.meteorshower.transactions.servers.Bench.row;
import static org.meteorshower.transactions.servers.Bench.slice;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.chains.AtTurn;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage.Again;
import org.meteorshower.transactions.servers.ChainMessage.Ask;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Ended;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Told;

/** Ranges of rows and computed keys, in partition p0 of range 0, which has the turn, and in p1 of range 1. */
class RangesOverServersTest {
    private static final RowOrder ORDER = new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, false)));
    private static final long FIRST = Version.of(0, 0);

    private final Bench turn = new Bench(0);
    private final Bench other = new Bench(1);

    private static RowKey at(String partition, int place) {
        return new RowKey("t", partition + ".00" + HexFormat.of().toHexDigits(place));
    }

    private static Range range(String partition, int most) {
        return new Range(new Partition("t", partition), ORDER, Range.Edge.OPEN, Range.Edge.OPEN, false, most);
    }

    private static Statement find(String name, String partition, int most) {
        return new Statement.Find(name, range(partition, most), List.of("v"));
    }

    private static Expression rows(String name) {
        return new Expression.Folded(Expression.Folded.Fold.ROWS, 0, new Expression.Variable(name));
    }

    private static Statement count(String name) {
        return new Statement.Return(rows(name));
    }

    /** Sets a row's value whose place is so far behind that of the first row that was found. */
    private static Statement setWhere(String partition, String found, int behind) {
        Expression place =
                new Expression.Element(new Expression.Element(new Expression.Variable(found), number(0)), number(0));
        return new Statement.Change(
                new ComputedRow(
                        new Partition("t", partition),
                        ORDER,
                        List.of(new Expression.Arithmetic(
                                Expression.Arithmetic.Operation.PLUS, place, number(behind)))),
                List.of(new Statement.Change.Assignment("v", new Expression.Constant(Value.of(0)))));
    }

    private static Expression number(int value) {
        return new Expression.Constant(new Value.Typed(Kind.INT, Bytes.copyOf(new byte[] {0, 0, 0, (byte) value})));
    }

    private static void stored(Bench bench, RowKey key, Row row) {
        bench.tables.computeIfAbsent(key, added -> new TreeMap<>()).put(1L, new StoredRow(1, row));
    }

    private static Outcome counted(long... rows) {
        return new Outcome.Committed(
                Arrays.stream(rows).mapToObj(RangesOverServersTest::bigint).toList());
    }

    private static Value bigint(long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return new Value.Typed(Kind.BIGINT, Bytes.copyOf(bytes));
    }

    private List<Outcome> outcomes() {
        return turn.take(Ended.class).stream().map(Ended::outcome).toList();
    }

    /** Until nobody has anything to say to the other one. */
    private void talk() {
        boolean isOver;
        do {
            boolean isAsked = carry(turn, other);
            boolean isTold = carry(other, turn);
            isOver = !isAsked && !isTold;
        } while (!isOver);
    }

    private static boolean carry(Bench from, Bench to) {
        List<ChainMessage> told = from.sent.stream()
                .filter(message -> message.to() == to.range && message instanceof ChainMessage.Handed)
                .toList();
        from.sent.removeAll(told);
        told.forEach(to::hears);
        return !told.isEmpty();
    }

    private void both(Request... requests) {
        for (Bench each : List.of(turn, other)) {
            Slice[] slices = new Slice[requests.length];
            for (int count = 0; count < requests.length; count++) {
                slices[count] = slice(count, requests[count]);
            }
            each.hears(0, requests.length, slices);
        }
    }

    @Test
    void aRangeOfOneServerIsReadThere() {
        for (int place = 0; place < 5; place++) {
            stored(turn, at("p0", place), row(place));
        }
        turn.hears(0, 1, slice(0, once(find("f", "p0", 4), count("f"))));

        assertThat(outcomes()).containsExactly(counted(4));
    }

    @Test
    void whatWasWrittenIsInTheRangeAndWhatWasDeletedIsNot() {
        stored(turn, at("p0", 1), row(1));
        turn.hears(
                0,
                3,
                slice(0, once(new Statement.Delete(at("p0", 1)))),
                slice(1, once(copy(A0, at("p0", 3)), copy(A0, at("p0", 2)))),
                slice(2, once(find("f", "p0", Range.ALL), count("f"))));

        assertThat(outcomes()).last().isEqualTo(counted(2));
    }

    @Test
    void whoHasThePartitionToItselfWaitsForAllBeforeIt() {
        both(once(copy(A0, A0), copy(A0, at("p1", 1))), once(find("f", "p1", 1), count("f")));
        assertThat(other.server.executed()).isZero();
        assertThat(other.server.evaluations()).isZero();

        talk();
        assertThat(other.take(Ended.class)).extracting(Ended::outcome).containsExactly(counted(1));
    }

    @Test
    void allBehindWaitForIt() {
        other.hears(
                0,
                2,
                slice(0, once(find("f", "p0", 1), new Statement.DeleteRange(range("p1", 1)))),
                slice(1, once(copy(at("p1", 7), A1))));
        assertThat(other.server.evaluations()).isZero();

        other.hearsBackward(0, 0, Map.of());
        assertThat(other.server.evaluations()).isEqualTo(1);
    }

    @Test
    void whereItNamesNoRowItDoesNotGoForward() {
        other.hears(0, 1, slice(0, once(find("f", "p0", 1), find("g", "p1", 1))));

        assertThat(other.take(Forward.class)).isEmpty();
    }

    @Test
    void theTurnAsksForWhatIsOfAnotherRange() {
        stored(other, at("p1", 1), row(1));
        stored(other, at("p1", 2), row(1));
        both(once(find("f", "p0", 1), find("g", "p1", Range.ALL), count("f"), count("g")));
        assertThat(turn.sent)
                .filteredOn(Ask.class::isInstance)
                .hasSize(1)
                .first()
                .extracting(ask -> ((Ask) ask).what().ranges())
                .isEqualTo(Set.of(range("p1", Range.ALL)));

        talk();
        assertThat(outcomes()).containsExactly(counted(0, 2));
        assertThat(other.server.executed()).isEqualTo(1);
    }

    @Test
    void whatItLooksForMayBeComputedFromWhatAnotherRangeHasTold() {
        stored(other, at("p1", 5), row(1));
        stored(other, at("p1", 6), row(1));
        both(once(find("f", "p1", 1), setWhere("p0", "f", 0), setWhere("p1", "f", 0)));
        talk();

        other.hears(1, 1, 0, 1);
        turn.hears(1, 1, 0, 1);
        assertThat(turn.written.get(0)).extracting(write -> write.key()).containsExactly(at("p0", 5));
        assertThat(other.written.get(0)).extracting(write -> write.key()).containsExactly(at("p1", 5));
        assertThat(other.written.get(0).get(0).row().row()).isEqualTo(row(0));
    }

    @Test
    void aRangeKeepsThePartitionUntilItIsToldBack() {
        both(once(find("f", "p0", 1), find("g", "p1", 1)));
        assertThat(other.server.executed()).isZero();

        talk();
        assertThat(turn.server.executed()).isEqualTo(1);
        assertThat(other.server.executed()).isEqualTo(1);
    }

    private static final Request LOOKS_TWICE =
            once(find("f", "p1", 1), find("g", "p0", 1), setWhere("p1", "f", 1), count("f"));

    /** Whoever takes the turn over asks again, and nobody else could answer. */
    @Test
    void whoIsToldBackBeforeItWasAskedAnswersFirst() {
        stored(other, at("p1", 5), row(1));
        other.hears(0, 1, slice(0, once(find("f", "p0", 1), find("g", "p1", 1), count("g"))));
        other.hears(new Backward(FIRST, 0, 1, 1, Map.of()));
        assertThat(other.server.executed()).isZero();
        other.tick();
        other.tick();
        assertThat(other.take(Again.class)).containsExactly(new Again(1, 0, 0));

        both(once(find("f", "p0", 1), find("g", "p1", 1), count("g")));
        Ask ask = turn.take(Ask.class).get(0);
        other.hears(ask);
        assertThat(other.take(Told.class)).extracting(Told::rows).containsExactly(Map.of(at("p1", 5), row(1)));
        assertThat(other.server.executed()).isEqualTo(1);
    }

    @Test
    void whatWasAnsweredIsKeptForWhoTakesTheTurnOver() {
        stored(other, at("p1", 5), row(1));
        both(LOOKS_TWICE);
        talk();
        assertThat(other.server.executed()).isEqualTo(1);
        other.sent.clear();

        Bench successor = new Bench(0);
        successor.hears(0, 1, slice(0, LOOKS_TWICE));
        other.hears(new Again(0, 1, 0));
        assertThat(carry(other, successor)).isTrue();
        assertThat(successor.take(Ended.class)).extracting(Ended::outcome).isEqualTo(outcomes());
        assertThat(other.server.evaluations()).isZero();
    }

    @Test
    void questionsThatComeInNoOrderAreAnsweredInTheirs() {
        stored(other, at("p1", 5), row(1));
        both(LOOKS_TWICE);
        List<Ask> asked = new ArrayList<>(turn.take(Ask.class));
        turn.hears(new Told(FIRST, 0, 1, 0, Map.of(at("p1", 5), row(1)), 100));
        asked.addAll(turn.take(Ask.class));
        assertThat(asked).extracting(Ask::number).containsExactly(0, 1);

        other.hears(asked.get(1));
        assertThat(other.take(Told.class)).isEmpty();
        other.hears(asked.get(0));
        assertThat(other.take(Told.class)).extracting(Told::number).containsExactly(0, 1);
    }

    @Test
    void anAnswerIsThatToItsQuestion() {
        turn.hears(0, 1, slice(0, LOOKS_TWICE));
        turn.hears(new Told(FIRST, 1, 1, 0, Map.of(at("p1", 9), row(1)), 100));

        assertThat(turn.server.evaluations()).isZero();
    }

    @Test
    void nobodyTakesMoreThanCanBeTakenWhereverItIs() {
        turn.hears(0, 1, slice(0, LOOKS_TWICE));
        turn.hears(new Told(FIRST, 0, 1, 0, Map.of(), AtTurn.MOST_BYTES + 1));

        assertThat(outcomes()).first().isInstanceOfSatisfying(Outcome.Aborted.class, aborted -> assertThat(
                        aborted.detail())
                .isEqualTo(Range.TOO_LARGE));
    }

    @Test
    void ofTooMuchOnlyHowMuchItIsIsTold() {
        Bench large = new Bench(1, 1L << 30);
        for (int place = 0; place < 10; place++) {
            stored(large, at("p1", place), Row.ABSENT.with("v", Value.of("x".repeat(1_000_000))));
        }
        Request all = once(find("f", "p0", 1), find("g", "p1", Range.ALL));
        large.hears(0, 1, slice(0, all));
        turn.hears(0, 1, slice(0, all));
        large.hears(turn.take(Ask.class).get(0));

        assertThat(large.take(Told.class)).first().satisfies(told -> {
            assertThat(told.rows()).isEmpty();
            assertThat(told.bytes()).isGreaterThan(AtTurn.MOST_BYTES);
        });
    }

    @Test
    void whatWasToldAndLostIsToldAgain() {
        both(once(find("f", "p0", 1), find("g", "p1", 1), count("g")));
        turn.sent.clear();
        turn.tick();
        turn.tick();
        assertThat(turn.take(Again.class)).containsExactly(new Again(0, 1, 0));
        other.tick();
        other.tick();
        Again again = other.take(Again.class).get(0);

        turn.hears(again);
        talk();
        assertThat(outcomes()).containsExactly(counted(0));
    }

    /** Whoever serves the range now may have forgotten that a row is there no more, and its key. */
    @Test
    void keysAreNotBelievedWhereAKThatItHasNotHeardOfHasPassedIt() {
        turn.noted = 9;
        turn.hears(3, 4, 3, 3, slice(3, once(find("f", "p0", 1), count("f"))));
        turn.tick();
        assertThat(turn.server.evaluations()).isZero();

        turn.hears(9, 10, 9, 9, slice(9, once(find("f", "p0", 1), count("f"))));
        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    @Test
    void keysAreBelievedWhereItHasExecutedAllBelowK() {
        turn.hears(0, 3);
        turn.noted = 3;
        turn.hears(3, 4, slice(3, once(find("f", "p0", 1), count("f"))));

        assertThat(turn.server.evaluations()).isEqualTo(1);
    }
}
