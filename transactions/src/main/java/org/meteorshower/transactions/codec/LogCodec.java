/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;

/** Entries and what stands in them, and which format that is. Without state. */
public final class LogCodec {
    static final int OPEN = 1;
    static final int RUN = 2;
    static final int ONCE = 3;
    static final int READ = 4;
    static final int RESOLVE = 5;
    static final int EXPIRE = 6;
    static final int EXPIRE_ROWS = 7;

    private static final int LEAST_ROW_KEY_BYTES = 2;

    /** A ticket, and the shortest request: its kind. */
    private static final int LEAST_SUBMISSION_BYTES = 2;

    /** A lane has no more than 31 members. */
    private static final int MOST_LANES = 31;

    private LogCodec() {}

    /** In the form that it has. */
    public static void write(Entry entry, DataOut out) {
        if (entry.isFronted()) {
            BodyCodec.write(entry, out);
            return;
        }
        out.varint(entry.epoch()).varint(entry.origin());
        out.varint(entry.submissions().size());
        RequestWriter writer = new RequestWriter(out);
        for (Submission submission : entry.submissions()) {
            out.varint(submission.ticket());
            var unused = submission.request().accept(writer);
        }
    }

    /** For reading only. */
    public static byte[] bytes(Entry entry) {
        DataOut out = new DataOut(64);
        write(entry, out);
        return out.toBytes();
    }

    /**
     * One of either form. That with fronts begins with a negative number, its version; the earlier one with an epoch,
     * which is not negative.
     */
    public static Entry readEntry(DataIn in) throws BadDataException {
        long epoch = in.varint();
        if (epoch < 0) {
            return BodyCodec.readEntry(epoch, in);
        }
        long origin = in.natural("an origin");
        int count = in.count("submissions", LEAST_SUBMISSION_BYTES);
        List<Submission> submissions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            submissions.add(new Submission(in.natural("a ticket"), readRequest(in)));
        }
        return new Entry(epoch, origin, submissions);
    }

    public static Entry entry(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        Entry entry = readEntry(in);
        in.end();
        return entry;
    }

    public static void write(Request request, DataOut out) {
        var unused = request.accept(new RequestWriter(out));
    }

    /** How many bytes it takes. */
    public static int size(Request request) {
        DataOut out = DataOut.counting();
        write(request, out);
        return out.size();
    }

    public static Request readRequest(DataIn in) throws BadDataException {
        int kind = in.u8();
        try {
            return switch (kind) {
                case OPEN -> new Request.Open();
                case RUN -> new Request.Run(readSession(in), in.varint(), LanguageCodec.readTransaction(in));
                case ONCE -> new Request.Once(LanguageCodec.readTransaction(in));
                case READ -> new Request.Read(LanguageCodec.readTransaction(in));
                case RESOLVE -> new Request.Resolve(readSession(in), in.varint());
                case EXPIRE -> new Request.Expire(readSession(in), in.varint());
                case EXPIRE_ROWS -> new Request.ExpireRows(readRows(in), in.natural("a time"));
                default -> throw new BadDataException("there is no request of kind " + kind);
            };
        } catch (IllegalArgumentException e) {
            throw new BadDataException("no request: " + e.getMessage());
        }
    }

    private static List<RowKey> readRows(DataIn in) throws BadDataException {
        int count = in.count("rows", LEAST_ROW_KEY_BYTES);
        List<RowKey> rows = new ArrayList<>(Math.min(count, Request.ExpireRows.MOST));
        for (int i = 0; i < count; i++) {
            rows.add(LanguageCodec.readRowKey(in));
        }
        return rows;
    }

    public static void write(FormatUse formats, DataOut out) {
        out.varint(formats.known().oldest()).varint(formats.known().newest()).varint(formats.used());
    }

    public static FormatUse readFormats(DataIn in) throws BadDataException {
        int oldest = in.number("the oldest format", Formats.MOST);
        int newest = in.number("the newest format", Formats.MOST);
        int used = in.number("the format in use", Formats.MOST);
        try {
            return new FormatUse(new Formats(oldest, newest), used);
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
    }

    public static void write(SessionId session, DataOut out) {
        out.varint(session.lane()).varint(session.position()).varint(session.index());
    }

    public static SessionId readSession(DataIn in) throws BadDataException {
        return new SessionId(
                in.number("a session's lane", MOST_LANES),
                in.natural("a session's position"),
                in.number("a session's index", Integer.MAX_VALUE));
    }
}
