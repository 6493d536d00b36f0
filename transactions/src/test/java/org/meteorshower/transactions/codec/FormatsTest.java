/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;

/**
 * Which format two processes have in common, and that format 1 stays as it is. Where a test of the latter fails,
 * entries are read or executed otherwise than by nodes of an earlier release, so that data centres would go apart in a
 * rolling upgrade: that is another format (docs/HACKING.md, "Changing a format"), and never a reason to write down
 * other figures here.
 */
class FormatsTest {
    private static final RowKey ROW = new RowKey("t", "k");
    private static final Transaction ADD = new Transaction(
            List.of(new Expression.Exists(ROW)),
            List.of(
                    new Statement.Put(
                            ROW,
                            "v",
                            new Expression.Arithmetic(
                                    Expression.Arithmetic.Operation.PLUS,
                                    new Expression.Column(ROW, "v"),
                                    new Expression.Constant(Value.of(1)))),
                    new Statement.Return(new Expression.Column(ROW, "v"))));
    private static final Transaction READ =
            new Transaction(List.of(), List.of(new Statement.Return(new Expression.Column(ROW, "v"))));
    private static final SessionId SESSION = new SessionId(2, 300, 4);

    /** One of each kind of request. */
    private static final Entry ENTRY = new Entry(
            1_000,
            77,
            List.of(
                    new Submission(1, new Request.Open()),
                    new Submission(2, new Request.Run(SESSION, 9, ADD)),
                    new Submission(3, new Request.Once(ADD)),
                    new Submission(4, new Request.Read(READ)),
                    new Submission(5, new Request.Resolve(SESSION, 9)),
                    new Submission(0, new Request.Expire(SESSION, 12_345))));

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void entriesOfFormat1AreWrittenAndReadAsEver() throws BadDataException {
        String frozen =
                "e8074d060101020202ac02040901030174016b02020174016b01760500020174016b017601010206020174016b0176030301030174016b"
                        + "02020174016b01760500020174016b017601010206020174016b01760404000106020174016b0176050502ac020409000602ac0204b960";
        assertThat(hex(LogCodec.bytes(ENTRY))).isEqualTo(frozen);
        assertThat(LogCodec.entry(HexFormat.of().parseHex(frozen))).isEqualTo(ENTRY);
    }

    @Test
    void checkpointsOfFormat1AreWrittenAndReadAsEver() throws BadDataException {
        Checkpoint checkpoint =
                new Checkpoint(1_000, List.of(300L, 301L, 302L), List.of(9L, 8L, 7L), 0x1234_5678_9abcL);
        String frozen = "e8070000123456789abc03ac02ad02ae0203090807";
        assertThat(hex(StoreCodec.bytes(checkpoint))).isEqualTo(frozen);
        assertThat(StoreCodec.checkpoint(HexFormat.of().parseHex(frozen))).isEqualTo(checkpoint);
    }

    /** Two thousand transactions as they are drawn by the fuzz tests, and two thousand rows: their bytes. */
    @Test
    void transactionsAndRowsOfFormat1AreWrittenAsEver() throws Exception {
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (int seed = 0; seed < 2_000; seed++) {
            DataOut out = new DataOut();
            LanguageCodec.write(LanguageFuzzTest.transaction(new SplittableRandom(seed)), out);
            LanguageCodec.write(LanguageFuzzTest.row(new SplittableRandom(seed)), out);
            all.update(out.toBytes());
        }
        assertThat(hex(all.digest())).isEqualTo("cd5f1d06d8a4d14c46a1e4386b3c869f22cd433f88a4ec0464923370f34a29c2");
    }

    /**
     * Their statements, each for itself since most of what is drawn makes no sense, on rows drawn likewise: outcomes,
     * and what they write.
     */
    @Test
    void transactionsOfFormat1AreExecutedAsEver() throws Exception {
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        int written = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Transaction transaction = LanguageFuzzTest.transaction(random);
            TreeMap<RowKey, Row> held = new TreeMap<>();
            for (RowKey key : transaction.rows()) {
                held.put(key, random.nextBoolean() ? Row.ABSENT : Row.ABSENT.with("c", Value.of(random.nextInt(9))));
            }
            for (Statement statement : transaction.body()) {
                Evaluation evaluation = Program.run(new Transaction(List.of(), List.of(statement)), held);
                DataOut out = new DataOut().raw(AnswerCodec.encode(new Answer.Done(evaluation.outcome(), seed)));
                for (Map.Entry<RowKey, Row> write : new TreeMap<>(evaluation.writes()).entrySet()) {
                    LanguageCodec.write(write.getKey(), out);
                    LanguageCodec.write(write.getValue(), out);
                    written++;
                }
                all.update(out.toBytes());
            }
        }
        assertThat(written).as("rows, so that the test can fail").isGreaterThan(1_000);
        assertThat(hex(all.digest())).isEqualTo("1f634d4ee273806bc69e64bee9c2bc7633416252010b1d93d29412edf9deb46a");
    }

    @Test
    void twoProcessesFitIfEachKnowsWhatTheOtherUses() {
        FormatUse both = new FormatUse(new Formats(1, 2), 1);
        assertThat(both.fits(FormatUse.UNSAID)).isTrue();
        assertThat(FormatUse.UNSAID.fits(both)).isTrue();
        assertThat(both.fits(new FormatUse(new Formats(1, 2), 2))).isTrue();
        assertThat(new FormatUse(new Formats(1, 2), 2).fits(FormatUse.UNSAID)).isFalse();
        assertThat(FormatUse.UNSAID.fits(new FormatUse(new Formats(1, 2), 2))).isFalse();
        assertThat(FormatUse.UNSAID.fits(new FormatUse(new Formats(2, 3), 2))).isFalse();
    }

    private static FormatUse uses(int newest, int used) {
        return new FormatUse(new Formats(1, newest), used);
    }

    private static List<@Nullable FormatUse> all(@Nullable FormatUse... each) {
        return Arrays.asList(each);
    }

    /** The next one only, where somebody asks for it or is ahead; and all know it, and use the one before it. */
    @Test
    void aDataCentreGoesOnWhereAllAreReady() {
        FormatUse own = uses(9, 7);
        assertThat(own.next(all(own, uses(9, 7), uses(9, 7)), true)).isEqualTo(8);
        assertThat(own.next(all(own, uses(9, 7), uses(9, 7)), false)).isZero();
        assertThat(own.next(all(own, uses(9, 7), uses(9, 8)), false)).isEqualTo(8);
        assertThat(own.next(all(own, uses(7, 7), uses(9, 7)), true))
                .as("one cannot read it")
                .isZero();
        assertThat(own.next(all(own, uses(9, 6), uses(9, 7)), true))
                .as("one may go back")
                .isZero();
        assertThat(own.next(all(own, null, uses(9, 7)), true))
                .as("one is not heard")
                .isZero();
    }

    /** Who may propose a form knows that all others have noted that they can read it. */
    @Test
    void nobodyIsTwoAheadOfAnother() {
        FormatUse own = uses(9, 8);
        assertThat(own.next(all(own, uses(9, 8), uses(9, 8)), true)).isEqualTo(9);
        assertThat(own.next(all(own, uses(9, 7), uses(9, 8)), true)).isZero();
        assertThat(uses(9, 9).next(all(uses(9, 9), uses(10, 9)), true))
                .as("it knows no more")
                .isZero();
    }

    /** All of what this release writes, and of what a release before it wrote, is read by it. */
    @Test
    void entriesOfFormat8AreReadBesideEarlierOnes() throws BadDataException {
        DataOut request = new DataOut();
        LogCodec.write(new Request.Open(), request);
        Body body = new Body(Front.OPENS, 64, Bytes.copyOf(request.toBytes()));
        Entry fronted = new Entry(1_000, 77, List.of(new Submission(3, body)));
        String frozen = "ffffffffffffffffff01" + "e8074d01" + "0300400101";
        assertThat(hex(LogCodec.bytes(fronted))).isEqualTo(frozen);
        assertThat(LogCodec.entry(HexFormat.of().parseHex(frozen))).isEqualTo(fronted);
        Message decided = new Message.Decided(1, 5, List.of(ENTRY, fronted, Entry.FILLER));
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        assertThat(codec.decode(codec.encode(decided))).isEqualTo(decided);
        assertThat(Formats.ALL).isEqualTo(new Formats(1, 9));
    }

    @Test
    void whatIsSaidOfFormatsComesBackAsItWas() throws BadDataException {
        FormatUse use = new FormatUse(new Formats(2, 500), 300);
        DataOut out = new DataOut();
        LogCodec.write(use, out);
        assertThat(LogCodec.readFormats(new DataIn(out.toBytes()))).isEqualTo(use);
    }

    /** None of them, the wrong way round, one in use that is not known, and more than there will ever be. */
    @Test
    void nonsenseAboutFormatsIsBadData() {
        for (long[] said : new long[][] {{0, 1, 1}, {2, 1, 1}, {1, 2, 3}, {2, 3, 1}, {1, 1L << 40, 1}, {1, -1, 1}}) {
            byte[] bytes = new DataOut()
                    .varint(said[0])
                    .varint(said[1])
                    .varint(said[2])
                    .toBytes();
            assertThatThrownBy(() -> LogCodec.readFormats(new DataIn(bytes)))
                    .as("%s", List.of(said[0], said[1], said[2]))
                    .isInstanceOf(BadDataException.class);
        }
    }

    @Test
    void whatEarlierVersionsBetweenNodesDoNotHaveIsBadDataThere() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        Message refused = new Message.ForwardRefused(7, List.of(1L));
        Message outbid = new Message.Outbid(0, 7);
        assertThat(codec.decode(codec.encode(refused), 3)).isEqualTo(refused);
        assertThat(codec.decode(codec.encode(outbid), 1)).isEqualTo(outbid);
        assertThatThrownBy(() -> codec.decode(codec.encode(refused), 2))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void pagesOfASnapshotAreOfVersion4() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        Checkpoint checkpoint = new Checkpoint(9, List.of(3L, 3L, 3L), List.of(9L, 8L, 7L), 5);
        for (Message message : List.of(
                new Message.Offer(checkpoint),
                new Message.AskPages(9, "a place", 8),
                new Message.Page(checkpoint, "a place", Map.of(ROW, new StoredRow(7, Row.ABSENT)), Map.of(), ""))) {
            assertThat(codec.decode(codec.encode(message, 4), 4)).isEqualTo(message);
            assertThatThrownBy(() -> codec.decode(codec.encode(message, 4), 3))
                    .isInstanceOf(BadDataException.class)
                    .hasMessageContaining("version 3");
        }
    }

    @Test
    void whichDisksWereLostIsToldInVersion9() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        AcceptorState state = new AcceptorState(7, 0, List.of());
        Message.RejoinAnswer answer = new Message.RejoinAnswer(2, 9, List.of(state, state, state), List.of(1, 2, 3));
        assertThat(codec.decode(codec.encode(answer, 9))).isEqualTo(answer);
        assertThat(codec.decode(codec.encode(answer, 8))).isEqualTo(answer.withGenerations(List.of()));
        assertThat(codec.encode(answer, 8)[0]).isEqualTo((byte) 11);
    }

    @Test
    void howLateALaneIsIsToldInVersion10() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        List<Long> positions = List.of(1L, 2L, 3L);
        Message.ClockReading clock = new Message.ClockReading(1, 2, 3, 4);
        Message.Progress progress =
                new Message.Progress(clock, positions, positions, 5, 6, 7, new Message.Margin(8, -9), false);
        assertThat(codec.decode(codec.encode(progress, 10))).isEqualTo(progress);
        assertThat(codec.decode(codec.encode(progress, 9)))
                .isEqualTo(new Message.Progress(clock, positions, positions, 5, 6, 7, null, false));
        assertThat(codec.encode(progress, 9)[0]).isEqualTo((byte) 6);
        assertThatThrownBy(() -> codec.decode(codec.encode(progress, 10), 9)).isInstanceOf(BadDataException.class);
    }

    @Test
    void leadersArePassedOverFromVersion12On() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        AcceptorState state = new AcceptorState(7, 2, List.of());
        Message.Revoke revoke = new Message.Revoke(0, 7, 6, 80, List.of(1, 2, 3), state);
        assertThat(MessageCodec.since(revoke)).isEqualTo(12);
        assertThat(codec.decode(codec.encode(revoke, 12), 12)).isEqualTo(revoke);
        assertThatThrownBy(() -> codec.decode(codec.encode(revoke), 11)).isInstanceOf(BadDataException.class);
        List<Long> positions = List.of(1L, 2L, 3L);
        Message.ClockReading clock = new Message.ClockReading(1, 2, 3, 4);
        for (Message.Margin margin : new Message.Margin[] {null, new Message.Margin(8, -9)}) {
            Message.Progress progress = new Message.Progress(clock, positions, positions, 5, 6, 7, margin, true);
            assertThat(codec.decode(codec.encode(progress, 12), 12)).isEqualTo(progress);
            assertThat(codec.decode(codec.encode(progress, 11), 11))
                    .isEqualTo(new Message.Progress(clock, positions, positions, 5, 6, 7, margin, false));
        }
        assertThat(MessageCodec.NEWEST).isEqualTo(12);
    }

    @Test
    void whatRowsWereBeforeTransactionsIsToldInVersion11() throws BadDataException {
        MessageCodec codec = new MessageCodec(new Members(1, 3));
        Checkpoint checkpoint = new Checkpoint(9, List.of(3L, 3L, 3L), List.of(9L, 8L, 7L), 5);
        Map<RowKey, StoredRow> rows = Map.of(ROW, new StoredRow(7, Row.ABSENT));
        Map<RowKey, Row> bases = Map.of(ROW, Row.ABSENT.with("v", Value.of(1)));
        Message.Page page = new Message.Page(checkpoint, "a place", rows, bases, "");
        assertThat(codec.decode(codec.encode(page, 11))).isEqualTo(page);
        assertThat(codec.decode(codec.encode(page, 10)))
                .isEqualTo(new Message.Page(checkpoint, "a place", rows, Map.of(), ""));
        assertThat(codec.encode(page, 10)[0]).isEqualTo((byte) 17);
    }
}
