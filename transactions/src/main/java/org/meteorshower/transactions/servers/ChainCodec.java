/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meteorshower.transactions.codec.AnswerCodec;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.BodyCodec;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Answer;

/**
 * Messages between the sequencer and ranges, and from range to range, as bytes. What is read is bounded by its input.
 * Immutable.
 *
 * @param ranges what names a range that is none of these is refused
 */
public record ChainCodec(int ranges) {
    static final int SLICES = 1;
    static final int PROGRESS = 2;
    static final int FORWARD = 3;
    static final int BACKWARD = 4;
    static final int ENDED = 5;
    static final int AGAIN = 6;
    static final int ASK = 7;
    static final int TOLD = 8;

    private static final int MOST_LANES = 31;

    /** A count, a lane, a position, no pieces. */
    private static final int LEAST_SLICE_BYTES = 4;

    /** An index, no tokens, a weight, and a request's length. */
    private static final int LEAST_PIECE_BYTES = 4;

    /** A table's name, a key, no columns. */
    private static final int LEAST_ROW_BYTES = 3;

    /** A table's name, a key. */
    private static final int LEAST_KEY_BYTES = 2;

    /** A table's name, a partition, a column, two edges, which way, and how many. */
    private static final int LEAST_RANGE_BYTES = 8;

    /** Writes one. What reads it must know where it ends. */
    void write(ChainMessage message, DataOut out) {
        message.handOver(new ChainWriter(out));
    }

    /** Reads one that ends with what is given. */
    ChainMessage read(DataIn in) throws BadDataException {
        int kind = in.u8();
        ChainMessage message =
                switch (kind) {
                    case SLICES -> readSlices(in);
                    case PROGRESS -> readProgress(in);
                    case FORWARD ->
                        new ChainMessage.Forward(in.natural("a version"), range(in), range(in), readRows(in));
                    case BACKWARD ->
                        new ChainMessage.Backward(
                                in.natural("a version"), range(in), range(in), questions(in), readRows(in));
                    case ENDED ->
                        new ChainMessage.Ended(in.natural("a version"), range(in), readOutcome(in), in.fixed64());
                    case AGAIN -> new ChainMessage.Again(rangeOrNone(in), range(in), in.natural("a count"));
                    case ASK ->
                        new ChainMessage.Ask(
                                in.natural("a version"), question(in), range(in), range(in), readMissing(in));
                    case TOLD ->
                        new ChainMessage.Told(
                                in.natural("a version"),
                                question(in),
                                range(in),
                                range(in),
                                readRows(in),
                                in.natural("bytes"));
                    default -> throw new BadDataException("chain servers have no message of kind " + kind);
                };
        in.end();
        return message;
    }

    private int range(DataIn in) throws BadDataException {
        return in.number("a range", ranges - 1);
    }

    /** How many one range asks another one: once each time that a transaction looks, at most. */
    private static int questions(DataIn in) throws BadDataException {
        return in.number("questions", Transaction.MOST_LOOKS);
    }

    private static int question(DataIn in) throws BadDataException {
        return in.number("a question", Transaction.MOST_LOOKS - 1);
    }

    /** A range, or the sequencer. */
    private int rangeOrNone(DataIn in) throws BadDataException {
        return in.number("who asks", ranges) - 1;
    }

    private ChainMessage.Slices readSlices(DataIn in) throws BadDataException {
        long life = in.natural("a life");
        int range = range(in);
        long from = in.natural("a count");
        long below = from + in.natural("counts");
        if (below < from) {
            throw new BadDataException("slices of too many counts");
        }
        int many = in.count("slices", LEAST_SLICE_BYTES);
        List<Slice> slices = new ArrayList<>(many);
        long next = from;
        for (int i = 0; i < many; i++) {
            Slice slice = readSlice(in, next);
            next = slice.count() + 1;
            slices.add(slice);
        }
        if (next > below) {
            throw new BadDataException("slices of counts that are not told, up to " + next);
        }
        return new ChainMessage.Slices(
                life,
                range,
                from,
                below,
                slices,
                in.natural("K"),
                in.natural("a cut"),
                in.natural("a count"),
                readExecuted(in));
    }

    /** @param next its count is this one, or a later one */
    private static Slice readSlice(DataIn in, long next) throws BadDataException {
        long count = next + in.natural("a count");
        if (count < next || count == Long.MAX_VALUE) {
            throw new BadDataException("a count that is too large");
        }
        int lane = in.number("a lane", MOST_LANES);
        long position = in.natural("a position");
        int many = in.count("submissions", LEAST_PIECE_BYTES);
        List<Slice.Piece> pieces = new ArrayList<>(many);
        int index = -1;
        for (int i = 0; i < many; i++) {
            index += 1 + in.number("an index", Version.MOST_IN_AN_ENTRY - 1);
            if (index >= Version.MOST_IN_AN_ENTRY) {
                throw new BadDataException("submission " + index + " of an entry");
            }
            pieces.add(new Slice.Piece(index, BodyCodec.readBody(in)));
        }
        return new Slice(count, lane, position, pieces);
    }

    private List<Long> readExecuted(DataIn in) throws BadDataException {
        int many = in.number("the number of ranges", ranges);
        List<Long> executed = new ArrayList<>(many);
        for (int i = 0; i < many; i++) {
            executed.add(in.natural("a count"));
        }
        return executed;
    }

    private ChainMessage.Progress readProgress(DataIn in) throws BadDataException {
        return new ChainMessage.Progress(
                range(in),
                new Life(in.natural("an assignment"), in.natural("a process"), in.natural("a life")),
                countOrNone(in),
                countOrNone(in),
                countOrNone(in),
                in.natural("a time"),
                in.natural("bytes"));
    }

    private static long countOrNone(DataIn in) throws BadDataException {
        return in.natural("a count") - 1;
    }

    private static SortedMap<RowKey, Row> readRows(DataIn in) throws BadDataException {
        int many = in.count("rows", LEAST_ROW_BYTES);
        TreeMap<RowKey, Row> rows = new TreeMap<>();
        for (int i = 0; i < many; i++) {
            RowKey key = LanguageCodec.readRowKey(in);
            if (!rows.isEmpty() && rows.lastKey().compareTo(key) >= 0) {
                throw new BadDataException("rows that are not in their order");
            }
            rows.put(key, LanguageCodec.readRow(in));
        }
        return rows;
    }

    private static Holdings.Missing readMissing(DataIn in) throws BadDataException {
        int many = in.count("rows", LEAST_KEY_BYTES);
        Set<RowKey> rows = new LinkedHashSet<>();
        for (int i = 0; i < many; i++) {
            rows.add(LanguageCodec.readRowKey(in));
        }
        many = in.count("ranges of rows", LEAST_RANGE_BYTES);
        Set<Range> ranges = new LinkedHashSet<>();
        for (int i = 0; i < many; i++) {
            ranges.add(LanguageCodec.readRange(in));
        }
        return new Holdings.Missing(rows, ranges);
    }

    private static Outcome readOutcome(DataIn in) throws BadDataException {
        if (AnswerCodec.decode(in.sized("an outcome")) instanceof Answer.Done done && done.token() == 0) {
            return done.outcome();
        }
        throw new BadDataException("an answer that is no outcome");
    }

    /** Writes each kind. */
    private record ChainWriter(DataOut out) implements ChainMessage.Handler {
        @Override
        public void on(ChainMessage.Slices slices) {
            out.u8(SLICES).varint(slices.life()).varint(slices.range());
            out.varint(slices.from()).varint(slices.below() - slices.from());
            out.varint(slices.slices().size());
            long next = slices.from();
            for (Slice slice : slices.slices()) {
                out.varint(slice.count() - next);
                write(slice);
                next = slice.count() + 1;
            }
            out.varint(slices.done()).varint(slices.cut()).varint(slices.answered());
            out.varint(slices.executed().size());
            slices.executed().forEach(out::varint);
        }

        private void write(Slice slice) {
            out.varint(slice.lane())
                    .varint(slice.position())
                    .varint(slice.pieces().size());
            int next = 0;
            for (Slice.Piece piece : slice.pieces()) {
                BodyCodec.write(piece.body(), out.varint(piece.index() - next));
                next = piece.index() + 1;
            }
        }

        @Override
        public void on(ChainMessage.Progress progress) {
            Life life = progress.life();
            out.u8(PROGRESS).varint(progress.range());
            out.varint(life.assignment()).varint(life.process()).varint(life.begun());
            out.varint(progress.next() + 1).varint(progress.executed() + 1).varint(progress.heldCut() + 1);
            out.varint(progress.firstDue()).varint(progress.room());
        }

        @Override
        public void on(ChainMessage.Forward forward) {
            out.u8(FORWARD).varint(forward.version()).varint(forward.from()).varint(forward.to());
            write(forward.held());
        }

        @Override
        public void on(ChainMessage.Backward backward) {
            out.u8(BACKWARD).varint(backward.version()).varint(backward.from()).varint(backward.to());
            out.varint(backward.asked());
            write(backward.writes());
        }

        @Override
        public void on(ChainMessage.Ask ask) {
            out.u8(ASK).varint(ask.version()).varint(ask.number());
            out.varint(ask.from()).varint(ask.to());
            out.varint(ask.what().rows().size());
            ask.what().rows().forEach(row -> LanguageCodec.write(row, out));
            out.varint(ask.what().ranges().size());
            ask.what().ranges().forEach(span -> LanguageCodec.write(span, out));
        }

        @Override
        public void on(ChainMessage.Told told) {
            out.u8(TOLD).varint(told.version()).varint(told.number());
            out.varint(told.from()).varint(told.to());
            write(told.rows());
            out.varint(told.bytes());
        }

        private void write(Map<RowKey, Row> rows) {
            out.varint(rows.size());
            new TreeMap<>(rows).forEach((key, row) -> {
                LanguageCodec.write(key, out);
                LanguageCodec.write(row, out);
            });
        }

        @Override
        public void on(ChainMessage.Ended ended) {
            out.u8(ENDED).varint(ended.version()).varint(ended.from());
            out.sized(AnswerCodec.encode(new Answer.Done(ended.outcome(), 0))).fixed64(ended.digest());
        }

        @Override
        public void on(ChainMessage.Again again) {
            out.u8(AGAIN).varint(again.from() + 1).varint(again.to()).varint(again.count());
        }
    }
}
