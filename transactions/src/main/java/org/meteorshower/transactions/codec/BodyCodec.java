/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;

/**
 * Entries of the form with fronts, and what stands in them. No request is read or written for it. Without state.
 *
 * <p>An entry begins with a negative number, the version of this form: who knows the earlier one only, which begins
 * with an epoch, refuses it.
 */
public final class BodyCodec {
    /** The version of this form, as it stands before it. */
    public static final long FORM = -1;

    /** A ticket, no tokens, a weight, and a request's length. */
    private static final int LEAST_SUBMISSION_BYTES = 4;

    private static final int TOKEN_BYTES = 8;

    /** Of an entry, or of a submission, but for tokens and request. */
    private static final int MOST_HEAD_BYTES = 32;

    private BodyCodec() {}

    /** About how many bytes it takes, rather too many. */
    private static int most(Entry entry) {
        int bytes = MOST_HEAD_BYTES;
        for (Submission submission : entry.submissions()) {
            Body body = submission.body();
            bytes += body == null
                    ? 0
                    : MOST_HEAD_BYTES
                            + TOKEN_BYTES * body.front().size()
                            + body.request().size();
        }
        return bytes;
    }

    static void write(Entry entry, DataOut out) {
        out.expect(most(entry)).varint(FORM).varint(entry.epoch()).varint(entry.origin());
        out.varint(entry.submissions().size());
        for (Submission submission : entry.submissions()) {
            Body body = submission.body();
            if (body == null) {
                throw new IllegalArgumentException("a submission without a front");
            }
            write(body, out.varint(submission.ticket()));
        }
    }

    /** @param form that has been read of it */
    static Entry readEntry(long form, DataIn in) throws BadDataException {
        if (form != FORM) {
            throw new BadDataException("entries of form " + -form + " are not known");
        }
        long epoch = in.natural("an epoch");
        long origin = in.natural("an origin");
        int count = in.count("submissions", LEAST_SUBMISSION_BYTES);
        if (count > Version.MOST_IN_AN_ENTRY) {
            throw new BadDataException(
                    count + " submissions in an entry; at most " + Version.MOST_IN_AN_ENTRY + " are taken");
        }
        List<Submission> submissions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            submissions.add(new Submission(in.natural("a ticket"), readBody(in)));
        }
        return new Entry(epoch, origin, submissions);
    }

    public static void write(Body body, DataOut out) {
        write(body.front(), out);
        out.varint(body.told()).sized(body.request());
    }

    public static Body readBody(DataIn in) throws BadDataException {
        return new Body(readFront(in), in.number("a weight", Integer.MAX_VALUE), in.bytes("a request"));
    }

    /** 0 where a session is opened; else twice the number of tokens, and 1, or 2 where partitions are claimed. */
    private static void write(Front front, DataOut out) {
        out.varint(front.opens() ? 0 : 2L * front.size() + (front.claims() ? 2 : 1));
        for (int index = 0; index < front.size(); index++) {
            out.fixed64(front.token(index));
        }
    }

    private static Front readFront(DataIn in) throws BadDataException {
        int said = in.number("the number of tokens", 2 + 2 * (in.remaining() / TOKEN_BYTES));
        if (said == 0) {
            return Front.OPENS;
        }
        long[] tokens = new long[(said - 1) / 2];
        for (int index = 0; index < tokens.length; index++) {
            tokens[index] = in.fixed64();
        }
        return said % 2 == 1 ? Front.ofRows(tokens) : Front.ofClaims(tokens);
    }
}
