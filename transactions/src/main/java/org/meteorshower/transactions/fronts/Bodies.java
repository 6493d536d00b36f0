/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.fronts;

import java.util.ArrayList;
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
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;

/**
 * Makes requests bytes, says in front which rows they name, and reads them. Bytes and front may disagree, or the bytes
 * make no sense: who proposes makes none of these. Where one stands in an entry all the same, {@link #NOTHING} stands
 * for it wherever it is executed, by one process or by several servers. That is a function of the bytes and of the
 * rows' tokens. Immutable.
 *
 * @param ring the same in all data centres
 */
public record Bodies(Tokens ring) implements Submission.Reader {
    /** Ends in an error, and reads and writes no row. */
    public static final Request NOTHING = new Request.Once(new Transaction(
            List.of(),
            List.of(new Statement.Require(new Expression.Constant(
                    Value.of("a submission that is not what was said of it (damaged, or its rows are others)"))))));

    /** @throws IllegalArgumentException if it is nested too deep */
    public Body of(Request request) {
        DataOut out = new DataOut(256);
        LogCodec.write(request, out);
        return new Body(Fronts.of(request, ring), request.weight(), Bytes.copyOf(out.toBytes()));
    }

    /**
     * As it goes into an entry of the form with fronts.
     *
     * @throws IllegalArgumentException as of {@link #of}
     */
    public Submission submission(long ticket, Request request) {
        return Submission.read(ticket, of(request), request);
    }

    /**
     * The same entry in the form with fronts.
     *
     * @throws IllegalArgumentException as of {@link #of}
     */
    public Entry fronted(Entry entry) {
        return entry.isFronted() ? entry : new Entry(entry.epoch(), entry.origin(), fronted(entry.submissions()));
    }

    /** The same submissions, each with a front. */
    public List<Submission> fronted(List<Submission> submissions) {
        List<Submission> fronted = new ArrayList<>(submissions.size());
        for (Submission each : submissions) {
            fronted.add(each.body() == null ? submission(each.ticket(), each.request()) : each);
        }
        return fronted;
    }

    /** As one process executes it, which needs all requests. What was read of it is remembered there no more. */
    public Entry executed(Entry entry) {
        if (!entry.isFronted()) {
            return entry;
        }
        List<Submission> submissions = new ArrayList<>(entry.submissions().size());
        for (Submission each : entry.submissions()) {
            submissions.add(new Submission(each.ticket(), each.take(this)));
        }
        return new Entry(entry.epoch(), entry.origin(), submissions);
    }

    /** What is executed: the request, or {@link #NOTHING}. */
    @Override
    public Request executed(Body body) {
        try {
            return read(body);
        } catch (BadDataException e) {
            return NOTHING;
        }
    }

    /**
     * To be asked of what others have made, before it is proposed.
     *
     * @throws BadDataException with the reason, if nothing may come of it, or if it takes other room than it says
     */
    public void check(Body body) throws BadDataException {
        int weight = read(body).weight();
        if (weight != body.told()) {
            throw new BadDataException("a request takes " + weight + " bytes, and says " + body.told());
        }
    }

    private Request read(Body body) throws BadDataException {
        DataIn in = new DataIn(body.request().toArray());
        Request read = LogCodec.readRequest(in);
        in.end();
        Front must = Fronts.of(read, ring);
        if (!isSaid(must, body)) {
            throw new BadDataException("a submission has " + must + ", and says " + body.front());
        }
        return read;
    }

    private static boolean isSaid(Front must, Body body) {
        return must.equals(body.front());
    }
}
