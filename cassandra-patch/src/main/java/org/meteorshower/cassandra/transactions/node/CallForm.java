/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Arrays;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LanguageCodec;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;

/** What one node asks of another for transactions, as the transport's calls. */
sealed interface CallForm {
    /** What these calls begin with; forwarded reads begin with another number. */
    int FIRST = 0x7a;

    /** A client's request, for the process of the data centre. */
    record Submit(Request request, long remainingMicros) implements CallForm {}

    /** A client's snapshot read. */
    record Snapshot(Transaction transaction, long token, long remainingMicros) implements CallForm {}

    /** A client waits until the tables hold all below the token. */
    record AwaitTables(long token, long remainingMicros) implements CallForm {}

    /**
     * A part of a message that is too large for a parcel.
     *
     * @param number of the message
     */
    @SuppressWarnings("ArrayRecordComponent") // calls are not compared
    record Piece(long number, int index, int count, byte[] bytes) implements CallForm {}

    int SUBMIT = 1;
    int SNAPSHOT = 2;
    int PIECE = 3;
    int AWAIT_TABLES = 4;
    int OF_A_GROUP = 5;

    /** More pieces than this belong to nothing that is sent. */
    int MOST_PIECES = 256;

    static boolean isOne(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FIRST;
    }

    /** A call of a group of lanes: its number, and one of that of all data centres. Of that one they go as they are. */
    static byte[] of(int group, byte[] call) {
        return group == LaneGroup.WHOLE
                ? call
                : new DataOut(call.length + 8)
                        .u8(FIRST)
                        .u8(OF_A_GROUP)
                        .varint(group)
                        .raw(call)
                        .toBytes();
    }

    /**
     * What is in a call, and of which group it is.
     *
     * @throws BadDataException if it is none
     */
    static OfGroup unpack(byte[] bytes) throws BadDataException {
        if (bytes.length < 2 || bytes[1] != OF_A_GROUP) {
            return new OfGroup(LaneGroup.WHOLE, bytes);
        }
        DataIn in = new DataIn(bytes);
        in.u8();
        in.u8();
        return OfGroup.read(in);
    }

    default byte[] encode() {
        DataOut out = new DataOut(256).u8(FIRST);
        if (this instanceof Submit submit) {
            out.u8(SUBMIT).signed(submit.remainingMicros);
            LogCodec.write(submit.request, out);
        } else if (this instanceof Snapshot snapshot) {
            out.u8(SNAPSHOT).signed(snapshot.remainingMicros).varint(snapshot.token);
            LanguageCodec.write(snapshot.transaction, out);
        } else if (this instanceof AwaitTables await) {
            out.u8(AWAIT_TABLES).signed(await.remainingMicros).varint(await.token);
        } else if (this instanceof Piece piece) {
            out.u8(PIECE)
                    .varint(piece.number)
                    .varint(piece.index)
                    .varint(piece.count)
                    .raw(piece.bytes);
        }
        return out.toBytes();
    }

    /** @throws BadDataException if it is none */
    static CallForm decode(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        if (in.u8() != FIRST) {
            throw new BadDataException("no call for transactions");
        }
        int kind = in.u8();
        CallForm call =
                switch (kind) {
                    case SUBMIT -> {
                        long remainingMicros = in.signed();
                        yield new Submit(LogCodec.readRequest(in), remainingMicros);
                    }
                    case SNAPSHOT -> {
                        long remainingMicros = in.signed();
                        long token = in.natural("a token");
                        yield new Snapshot(LanguageCodec.readTransaction(in), token, remainingMicros);
                    }
                    case AWAIT_TABLES -> {
                        long remainingMicros = in.signed();
                        yield new AwaitTables(in.natural("a token"), remainingMicros);
                    }
                    case PIECE -> {
                        long number = in.natural("a message's number");
                        int index = in.number("a piece's number", MOST_PIECES);
                        int count = in.number("the number of pieces", MOST_PIECES);
                        byte[] rest = Arrays.copyOfRange(bytes, bytes.length - in.remaining(), bytes.length);
                        yield new Piece(number, index, count, in.raw(rest.length));
                    }
                    default -> throw new BadDataException("there is no call of kind " + kind);
                };
        in.end();
        return call;
    }
}
