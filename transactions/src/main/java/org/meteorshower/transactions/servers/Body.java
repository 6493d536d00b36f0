/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;

/**
 * A submission's request as bytes, and what it says in front of them. The two may disagree, or the bytes make no sense:
 * who proposes refuses that. Where it stands in an entry all the same, {@link #NOTHING} stands for it wherever it is
 * executed, by one process or by several servers. That is a function of the bytes and of the rows' tokens.
 *
 * @param told about how many bytes of heap the request takes when it is read. Nothing that is executed depends on it:
 *     releases may weigh otherwise
 */
public record Body(Front front, int told, Bytes request) {
    /** Ends in an error, and reads and writes no row. */
    public static final Request NOTHING = new Request.Once(new Transaction(
            List.of(),
            List.of(new Statement.Require(new Expression.Constant(
                    Value.of("a submission that is not what was said of it (damaged, or its rows are others)"))))));

    private static final int WEIGHT = 64;

    /** For each byte of a request no more is believed. */
    private static final long MOST_TIMES = 64;

    /**
     * @throws IllegalArgumentException if it has ranges of rows, or computed keys, which several servers cannot execute
     *     yet; or if it is nested too deep
     */
    public static Body of(Request request, Tokens ring) {
        DataOut out = new DataOut(128);
        LogCodec.write(request, out);
        return new Body(Front.of(request, ring), request.weight(), Bytes.copyOf(out.toBytes()));
    }

    /**
     * To be asked before it is proposed.
     *
     * @throws BadDataException with the reason, if nothing may come of it, or if it takes other room than it says
     */
    public void check(Tokens ring) throws BadDataException {
        int weight = read(ring).weight();
        if (weight != told) {
            throw new BadDataException("a request takes " + weight + " bytes, and says " + told);
        }
    }

    private Request read(Tokens ring) throws BadDataException {
        DataIn in = new DataIn(request.toArray());
        Request read = LogCodec.readRequest(in);
        in.end();
        Front must;
        try {
            must = Front.of(read, ring);
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
        if (!isSaid(must)) {
            throw new BadDataException("the rows of a submission are at " + must + ", and it says " + front);
        }
        return read;
    }

    private boolean isSaid(Front must) {
        return front.equals(must);
    }

    /** What is executed: the request, or {@link #NOTHING}. */
    public Request executed(Tokens ring) {
        try {
            return read(ring);
        } catch (BadDataException e) {
            return NOTHING;
        }
    }

    /** About how many bytes it takes on the heap, or will when it is read. */
    int weight() {
        long read = Math.min(told, MOST_TIMES * request.size());
        return (int) Math.max(WEIGHT + front.weight() + request.size(), read);
    }

    void write(DataOut out) {
        front.write(out);
        out.varint(told).sized(request);
    }

    static Body read(DataIn in) throws BadDataException {
        return new Body(Front.read(in), in.number("a weight", Integer.MAX_VALUE), in.bytes("a request"));
    }
}
