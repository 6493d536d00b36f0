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
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Ended;

/** Entries whose requests are bytes, with what is said of them in front. */
class FrontedEntryTest {
    private static final Division RING = Bench.division(2);
    private static final SessionId PLACE = new SessionId(2, 300, 4);

    /** Reads a1 and writes a0. */
    private static final Request READS_A1 = once(copy(A1, A0));

    private static final Body RIGHT = Body.of(READS_A1, RING);

    private static Body saying(Long... tokens) {
        return new Body(new Front(false, List.of(tokens)), RIGHT.told(), RIGHT.request());
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

    private static FrontedEntry of(Body body) {
        return new FrontedEntry(1_000, 77, List.of(new FrontedEntry.Part(7, body)));
    }

    @Test
    void theTurnsTokenComesFirstAndEachOnce() {
        assertThat(RIGHT.front()).isEqualTo(new Front(false, List.of((long) '0', (long) '1')));
        assertThat(Body.of(once(copy(A0, A1)), RING).front())
                .isEqualTo(new Front(false, List.of((long) '1', (long) '0')));
        assertThat(Body.of(once(copy(A0, B0)), RING).front()).isEqualTo(new Front(false, List.of((long) '0')));
    }

    /** Its only row is named by the place in the order. */
    @Test
    void whoOpensASessionSaysSo() {
        Front opens = Body.of(new Request.Open(), RING).front();

        assertThat(opens).isEqualTo(new Front(true, List.of()));
        assertThat(opens.ranges(PLACE, 9, RING)).containsExactly(RING.rangeOf(PLACE.row()));
    }

    @Test
    void whatNamesNoRowHasItsTurnSomewhere() {
        Front none = Body.of(Body.NOTHING, RING).front();

        assertThat(none.tokens()).isEmpty();
        assertThat(none.turn(PLACE, 8, RING)).isZero();
        assertThat(none.turn(PLACE, 9, RING)).isEqualTo(1);
    }

    /** Where this fails the form has changed: it needs another number then. */
    @Test
    void theFormStaysAsItIs() throws BadDataException {
        String frozen = "ffffffffffffffffff01e8074d02"
                + "0703000000000000003000000000000000319c0a25"
                + "030001020174026130017605000d0c020174026131017601010002017402613101760101020800400101";
        FrontedEntry entry = FrontedEntry.of(entry(READS_A1, new Request.Open()), RING);

        assertThat(HexFormat.of().formatHex(entry.bytes())).isEqualTo(frozen);
        assertThat(FrontedEntry.read(HexFormat.of().parseHex(frozen), RING)).isEqualTo(entry);
    }

    @Test
    void anEntryOfTheEarlierFormIsReadAsWell() throws BadDataException {
        Entry entry = entry(READS_A1, new Request.Open(), new Request.Expire(PLACE, 9));
        FrontedEntry read = FrontedEntry.read(LogCodec.bytes(entry), RING);

        assertThat(read).isEqualTo(FrontedEntry.of(entry, RING));
        assertThat(read.entry(RING)).isEqualTo(entry);
        assertThat(FrontedEntry.read(LogCodec.bytes(Entry.FILLER), RING).parts())
                .isEmpty();
    }

    @Test
    void whoKnowsTheEarlierFormOnlyRefusesThisOne() {
        byte[] bytes = FrontedEntry.of(entry(READS_A1), RING).bytes();

        assertThatThrownBy(() -> LogCodec.entry(bytes))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("an epoch is negative");
    }

    @Test
    void aLaterFormIsRefused() {
        byte[] bytes = new DataOut().varint(-2).varint(1).varint(1).varint(0).toBytes();

        assertThatThrownBy(() -> FrontedEntry.read(bytes, RING))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("form 2");
    }

    @Test
    void moreSubmissionsThanThereAreVersionsAreRefused() {
        DataOut out = new DataOut().varint(-1).varint(1).varint(1).varint(Version.MOST_IN_AN_ENTRY + 1);
        out.raw(new byte[8 * Version.MOST_IN_AN_ENTRY]);

        assertThatThrownBy(() -> FrontedEntry.read(out.toBytes(), RING))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("4097 submissions");
    }

    /** A row more, one less, another turn, one twice, none, a session that is not opened. */
    @Test
    void rowsThatAreNotThoseInFrontAreRefused() {
        List<Body> bad = List.of(
                saying((long) '0', (long) '1', (long) '2'),
                saying((long) '0'),
                saying((long) '1', (long) '0'),
                saying((long) '0', (long) '1', (long) '1'),
                saying(),
                new Body(new Front(true, List.of()), RIGHT.told(), RIGHT.request()));
        for (Body body : bad) {
            assertThatThrownBy(() -> body.check(RING))
                    .as(body.toString())
                    .isInstanceOf(BadDataException.class)
                    .hasMessageContaining("the rows of a submission are at");
            assertThat(body.executed(RING)).isEqualTo(Body.NOTHING);
        }
    }

    @Test
    void bytesThatAreNoRequestAreRefused() {
        byte[] cut = new byte[RIGHT.request().size() - 1];
        System.arraycopy(RIGHT.request().toArray(), 0, cut, 0, cut.length);
        for (Body body :
                List.of(ofBytes(cut), ofBytes(requestAnd(0)), ofBytes(new byte[0]), ofBytes(new byte[] {99}))) {
            assertThatThrownBy(() -> body.check(RING)).isInstanceOf(BadDataException.class);
            assertThat(body.executed(RING)).isEqualTo(Body.NOTHING);
        }
    }

    /** What is executed does not depend on it. */
    @Test
    void whoSaysThatItTakesOtherRoomThanItDoesIsRefusedAndExecuted() {
        Body body = new Body(RIGHT.front(), RIGHT.told() + 1, RIGHT.request());

        assertThatThrownBy(() -> body.check(RING))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("and says " + body.told());
        assertThat(body.executed(RING)).isEqualTo(READS_A1);
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

    /** Not for several servers yet. They may not stop whoever meets them. */
    @Test
    void rangesOfRowsAreRefused() {
        Range range = new Range(
                new Partition("t", "p"),
                new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, false))),
                new Range.Edge(List.of(), true),
                new Range.Edge(List.of(), true),
                false,
                10);
        Request request = once(new Statement.DeleteRange(range));
        DataOut out = new DataOut();
        LogCodec.write(request, out);

        assertThatThrownBy(() -> Body.of(request, RING)).hasMessageContaining("several chain servers");
        assertThatThrownBy(() -> ofBytes(out.toBytes()).check(RING)).isInstanceOf(BadDataException.class);
        assertThatThrownBy(() -> FrontedEntry.read(LogCodec.bytes(entry(request)), RING))
                .isInstanceOf(BadDataException.class);
    }

    @Test
    void whatStandsForThemReadsAndWritesNothingAndEndsInAnError() {
        Requests nothing = new Requests(Body.NOTHING, PLACE, 5);
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
        Body body = saying((long) '1', (long) '0', (long) '3');
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
        Entry one = of(saying((long) '0')).entry(RING);

        assertThat(one).isEqualTo(new Entry(1_000, 77, List.of(new Submission(7, Body.NOTHING))));
        assertThat(of(RIGHT).entry(RING)).isEqualTo(entry(READS_A1));
    }

    @Test
    void theSequencerCutsByWhatIsSaidInFront() {
        SliceCutter cutter = new SliceCutter(
                RING,
                count ->
                        new Placed(count, 2, 300, of(new Body(saying((long) '1').front(), 0, Bytes.EMPTY))),
                1 << 20);
        SliceCutter.Cut cut = cutter.at(5);

        assertThat(cut).isNotNull();
        assertThat(cut.byRange().keySet()).containsExactly(1);
        assertThat(cut.turns()).containsExactly(1);
    }
}
