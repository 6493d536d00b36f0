/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.A1;
import static org.meteorshower.transactions.servers.Bench.B0;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Ended;

/** Entries whose requests are bytes, with what is said of them in front. */
class FrontedEntryTest {
    private static final Division RING = Bench.division(2);
    private static final Bodies BODIES = new Bodies(RING);
    private static final SessionId PLACE = new SessionId(2, 300, 4);

    /** Reads a1 and writes a0. */
    private static final Request READS_A1 = once(copy(A1, A0));

    private static final Body RIGHT = BODIES.of(READS_A1);

    private static Body saying(long... tokens) {
        return new Body(Front.ofRows(tokens), RIGHT.told(), RIGHT.request());
    }

    private static Body ofBytes(byte[] request) {
        return new Body(RIGHT.front(), RIGHT.told(), Bytes.copyOf(request));
    }

    private static byte[] requestAnd(int... more) {
        DataOut out = new DataOut().raw(RIGHT.request().toArray());
        for (int each : more) {
            out.u8(each);
        }
        return out.toBytes();
    }

    private static Entry entry(Request... requests) {
        List<Submission> submissions = new ArrayList<>();
        for (Request request : requests) {
            submissions.add(new Submission(7 + submissions.size(), request));
        }
        return new Entry(1_000, 77, submissions);
    }

    private static Entry of(Body body) {
        return new Entry(1_000, 77, List.of(new Submission(7, body)));
    }

    @Test
    void theTurnsTokenComesFirstAndEachOnce() {
        assertThat(RIGHT.front()).isEqualTo(Front.ofRows('0', '1'));
        assertThat(BODIES.of(once(copy(A0, A1))).front()).isEqualTo(Front.ofRows('1', '0'));
        assertThat(BODIES.of(once(copy(A0, B0))).front()).isEqualTo(Front.ofRows('0'));
    }

    /** Its only row is named by the place in the order. */
    @Test
    void whoOpensASessionSaysSo() {
        Front opens = BODIES.of(new Request.Open()).front();

        assertThat(opens).isEqualTo(Front.OPENS);
        assertThat(Turns.ranges(opens, PLACE, 9, RING)).containsExactly(RING.rangeOf(PLACE.row()));
    }

    @Test
    void whatNamesNoRowHasItsTurnSomewhere() {
        Front none = BODIES.of(Bodies.NOTHING).front();

        assertThat(none.size()).isZero();
        assertThat(Turns.turn(none, PLACE, 8, RING)).isZero();
        assertThat(Turns.turn(none, PLACE, 9, RING)).isEqualTo(1);
    }

    /** Where this fails the form has changed: it needs another number then. */
    @Test
    void theFormStaysAsItIs() throws BadDataException {
        String frozen = "ffffffffffffffffff01e8074d02"
                + "0705000000000000003000000000000000319c0a25"
                + "030001020174026130017605000d0c020174026131017601010002017402613101760101020800400101";
        Entry entry = BODIES.fronted(entry(READS_A1, new Request.Open()));

        assertThat(HexFormat.of().formatHex(LogCodec.bytes(entry))).isEqualTo(frozen);
        assertThat(LogCodec.entry(HexFormat.of().parseHex(frozen))).isEqualTo(entry);
    }

    @Test
    void anEntryOfTheEarlierFormGetsItsFrontsFromItsRequests() throws BadDataException {
        Entry entry = entry(READS_A1, new Request.Open(), new Request.Expire(PLACE, 9));
        Entry fronted = BODIES.fronted(LogCodec.entry(LogCodec.bytes(entry)));

        assertThat(fronted).isEqualTo(LogCodec.entry(LogCodec.bytes(fronted))).isNotEqualTo(entry);
        assertThat(BODIES.executed(fronted)).isEqualTo(entry);
        assertThat(BODIES.executed(entry)).isSameAs(entry);
    }

    /** It is of the earlier form whoever writes it: there is nothing in it to be said anything of. */
    @Test
    void anEntryWithoutSubmissionsHasNoFronts() throws BadDataException {
        byte[] empty = new DataOut().varint(-1).varint(9).varint(7).varint(0).toBytes();

        assertThat(LogCodec.entry(empty)).isEqualTo(new Entry(9, 7, List.of()));
        assertThat(BODIES.fronted(Entry.FILLER)).isEqualTo(Entry.FILLER);
        assertThat(Entry.FILLER.isFronted()).isFalse();
    }

    @Test
    void submissionsWithFrontsAndWithoutAreNotOfOneEntry() {
        List<Submission> mixed = List.of(new Submission(7, RIGHT), new Submission(8, READS_A1));

        assertThatThrownBy(() -> new Entry(1, 1, mixed)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Entry(1, 1, BODIES.fronted(mixed)).isFronted()).isTrue();
    }

    /** What is read early is executed as it was read; then only its bytes are kept. */
    @Test
    void aSubmissionIsReadOnce() {
        List<Body> read = new ArrayList<>();
        Submission.Reader reader = body -> {
            read.add(body);
            return BODIES.executed(body);
        };
        Submission submission = new Submission(7, RIGHT);

        assertThatThrownBy(submission::request).isInstanceOf(IllegalStateException.class);
        assertThat(submission.read(reader)).isEqualTo(READS_A1).isSameAs(submission.request());
        assertThat(submission.read(reader)).isSameAs(submission.take(reader));
        assertThat(read).containsExactly(RIGHT);
        assertThatThrownBy(submission::request).isInstanceOf(IllegalStateException.class);
        assertThat(submission.take(reader)).isEqualTo(READS_A1);
        assertThat(read).containsExactly(RIGHT, RIGHT);
    }

    @Test
    void aLaterFormIsRefused() {
        byte[] bytes = new DataOut().varint(-2).varint(1).varint(1).varint(0).toBytes();

        assertThatThrownBy(() -> LogCodec.entry(bytes))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("form 2");
    }

    @Test
    void moreSubmissionsThanThereAreVersionsAreRefused() {
        DataOut out = new DataOut().varint(-1).varint(1).varint(1).varint(Version.MOST_IN_AN_ENTRY + 1);
        out.raw(new byte[8 * Version.MOST_IN_AN_ENTRY]);

        assertThatThrownBy(() -> LogCodec.entry(out.toBytes()))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("4097 submissions");
    }

    /** A row more, one less, another turn, one twice, none, a session that is not opened. */
    @Test
    void rowsThatAreNotThoseInFrontAreRefused() {
        List<Body> bad = List.of(
                saying('0', '1', '2'),
                saying('0'),
                saying('1', '0'),
                saying('0', '1', '1'),
                saying(),
                new Body(Front.OPENS, RIGHT.told(), RIGHT.request()));
        for (Body body : bad) {
            assertThatThrownBy(() -> BODIES.check(body))
                    .as(body.toString())
                    .isInstanceOf(BadDataException.class)
                    .hasMessageContaining("a submission has rows at");
            assertThat(BODIES.executed(body)).isEqualTo(Bodies.NOTHING);
        }
    }

    @Test
    void bytesThatAreNoRequestAreRefused() {
        byte[] cut = new byte[RIGHT.request().size() - 1];
        System.arraycopy(RIGHT.request().toArray(), 0, cut, 0, cut.length);
        for (Body body :
                List.of(ofBytes(cut), ofBytes(requestAnd(0)), ofBytes(new byte[0]), ofBytes(new byte[] {99}))) {
            assertThatThrownBy(() -> BODIES.check(body)).isInstanceOf(BadDataException.class);
            assertThat(BODIES.executed(body)).isEqualTo(Bodies.NOTHING);
        }
    }

    /** What is executed does not depend on it. */
    @Test
    void whoSaysThatItTakesOtherRoomThanItDoesIsRefusedAndExecuted() {
        Body body = new Body(RIGHT.front(), RIGHT.told() + 1, RIGHT.request());

        assertThatThrownBy(() -> BODIES.check(body))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("and says " + body.told());
        assertThat(BODIES.executed(body)).isEqualTo(READS_A1);
    }

    /** So that whoever hands it out has room for it where it is read. */
    @Test
    void itCountsAsWhatItWillTakeWhenItIsRead() {
        assertThat(RIGHT.weight()).isEqualTo(READS_A1.weight());
        assertThat(new Body(RIGHT.front(), 0, RIGHT.request()).weight())
                .isGreaterThan(RIGHT.request().size());
        assertThat(new Body(RIGHT.front(), Integer.MAX_VALUE, RIGHT.request()).weight())
                .isEqualTo(64 * RIGHT.request().size());
    }

    private static Range range(String partition) {
        return new Range(
                new Partition("t", partition),
                new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, false))),
                new Range.Edge(List.of(), true),
                new Range.Edge(List.of(), true),
                false,
                10);
    }

    @Test
    void whoHasPartitionsToItselfSaysSo() {
        Request request =
                once(new Statement.DeleteRange(range("b7")), new Statement.DeleteRange(range("b3")), copy(A1, A0));
        Body body = BODIES.of(request);

        assertThat(body.front()).isEqualTo(Front.ofClaims('3', '0', '1', '7'));
        assertThat(BODIES.executed(body)).isEqualTo(request);
        assertThat(BODIES.executed(new Body(Front.ofRows('0', '1'), body.told(), body.request())))
                .isEqualTo(Bodies.NOTHING);
    }

    /** That of the first partition has the turn. */
    @Test
    void whoHasPartitionsToItselfVisitsTheirRanges() {
        Request request =
                once(new Statement.DeleteRange(range("b2")), new Statement.DeleteRange(range("b3")), copy(A1, A0));
        Visit visit = Visit.of(BODIES.of(request), PLACE, Version.of(5, 4), RING);

        assertThat(visit.turn()).isZero();
        assertThat(visit.others()).containsExactly(1);
        assertThat(visit.claims()).containsOnlyKeys(0, 1);
        assertThat(visit.mayWrite()).containsExactly(A0);
        assertThat(visit.isToldBack(1)).isTrue();
    }

    /** The sequencer does not read it, and so cannot know better. */
    @Test
    void whoSaysSoAndHasNoneIsCutAndNotExecuted() {
        Body body = new Body(Front.ofClaims('0', '1'), RIGHT.told(), RIGHT.request());

        assertThat(BODIES.executed(body)).isEqualTo(Bodies.NOTHING);
        assertThat(Turns.ranges(body.front(), PLACE, 5, RING)).containsExactly(0, 1);
        assertThat(Visit.of(body, PLACE, Version.of(5, 4), RING).rows().keySet())
                .containsExactly(0);
    }

    @Test
    void aFrontComesBackAsItWas() throws BadDataException {
        for (Front front : List.of(
                Front.OPENS,
                Front.ofRows(),
                Front.ofClaims(),
                Front.ofRows(1, 2),
                Front.ofClaims(-1),
                Front.ofClaims(Long.MAX_VALUE, Long.MIN_VALUE, 0))) {
            Entry entry = of(new Body(front, RIGHT.told(), RIGHT.request()));
            assertThat(LogCodec.entry(LogCodec.bytes(entry))).isEqualTo(entry);
        }
    }

    @Test
    void whatStandsForThemReadsAndWritesNothingAndEndsInAnError() {
        Requests nothing = new Requests(Bodies.NOTHING, PLACE, 5);
        Evaluation evaluation = nothing.evaluate(new Holdings(), null);

        assertThat(nothing.rows()).isEmpty();
        assertThat(evaluation.writes()).isEmpty();
        assertThat(evaluation.outcome()).isInstanceOfSatisfying(Outcome.Aborted.class, aborted -> {
            assertThat(aborted.reason()).isEqualTo(Outcome.Reason.ERROR);
            assertThat(aborted.detail()).contains("not what was said of it");
        });
    }

    /** The first range in front has the turn; the others have nothing to do, and go on. */
    @Test
    void rangesOfWhichItSaysTooMuchGoOnAndOneTellsTheOutcome() {
        Body body = saying('1', '0', '3');
        Slice slice = new Slice(0, 0, 0, List.of(new Slice.Piece(0, body)));
        Bench turn = new Bench(1);
        Bench other = new Bench(0);
        turn.hears(0, 1, slice);
        other.hears(0, 1, slice);

        assertThat(turn.server.executed()).isEqualTo(1);
        assertThat(other.server.executed()).isEqualTo(1);
        assertThat(turn.take(Ended.class)).hasSize(1).allSatisfy(ended -> assertThat(ended.outcome())
                .isInstanceOf(Outcome.Aborted.class));
        assertThat(other.take(Ended.class)).isEmpty();
        assertThat(other.server.bytes()).as("nothing is left of the slice").isEqualTo(new Bench(0).server.bytes());
    }

    @Test
    void oneProcessExecutesTheSame() {
        Entry one = BODIES.executed(of(saying('0')));

        assertThat(one).isEqualTo(new Entry(1_000, 77, List.of(new Submission(7, Bodies.NOTHING))));
        assertThat(BODIES.executed(of(RIGHT))).isEqualTo(entry(READS_A1));
    }

    @Test
    void theSequencerCutsByWhatIsSaidInFront() {
        SliceCutter cutter = new SliceCutter(
                RING, count -> new Placed(count, 2, 300, of(new Body(saying('1').front(), 0, Bytes.EMPTY))), 1 << 20);
        SliceCutter.Cut cut = cutter.at(5);

        assertThat(cut).isNotNull();
        assertThat(cut.byRange().keySet()).containsExactly(1);
        assertThat(cut.turns()).containsExactly(1);
    }
}
