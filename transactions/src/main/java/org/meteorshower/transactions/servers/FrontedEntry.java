/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;

/**
 * An entry whose submissions say in front which rows they name, and are bytes otherwise: who cuts it into slices reads
 * no request.
 *
 * <p>As bytes it begins with a negative number, the version of this form. Entries of the earlier one begin with an
 * epoch, which is not negative: so each of the two is told from the other, and who knows the earlier one only refuses
 * this one.
 *
 * @param epoch as of an {@link Entry}
 * @param origin the same
 */
public record FrontedEntry(long epoch, long origin, List<Part> parts) {
    /** The version of this form, as it stands before it. */
    static final long FORM = -1;

    private static final int WEIGHT = 64;
    private static final int PER_PART = 32;

    /** A ticket, no tokens, a weight, and a request's length. */
    private static final int LEAST_PART_BYTES = 4;

    /**
     * A submission.
     *
     * @param ticket as of a {@link Submission}
     */
    public record Part(long ticket, Body body) {}

    public FrontedEntry {
        parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException as of {@link Body#of} */
    public static FrontedEntry of(Entry entry, Tokens ring) {
        List<Part> parts = new ArrayList<>();
        for (Submission submission : entry.submissions()) {
            parts.add(new Part(submission.ticket(), Body.of(submission.request(), ring)));
        }
        return new FrontedEntry(entry.epoch(), entry.origin(), parts);
    }

    /** As one process executes it, which needs all requests: what nothing may come of is {@link Body#NOTHING}. */
    public Entry entry(Tokens ring) {
        return new Entry(
                epoch,
                origin,
                parts.stream()
                        .map(part -> new Submission(part.ticket, part.body.executed(ring)))
                        .toList());
    }

    /** About how many bytes it takes on the heap. */
    int weight() {
        int bytes = WEIGHT;
        for (Part part : parts) {
            bytes += PER_PART + part.body.weight();
        }
        return bytes;
    }

    public byte[] bytes() {
        DataOut out = new DataOut(256).varint(FORM).varint(epoch).varint(origin).varint(parts.size());
        for (Part part : parts) {
            part.body.write(out.varint(part.ticket));
        }
        return out.toBytes();
    }

    /**
     * An entry of this form, or of the earlier one, whose requests are read for it.
     *
     * @throws BadDataException if it is none; also if it has ranges of rows, or computed keys, in the earlier form
     */
    public static FrontedEntry read(byte[] bytes, Tokens ring) throws BadDataException {
        DataIn in = new DataIn(bytes);
        long form = in.varint();
        if (form >= 0) {
            return ofEarlierForm(bytes, ring);
        } else if (form != FORM) {
            throw new BadDataException("entries of form " + -form + " are not known");
        }
        long epoch = in.natural("an epoch");
        long origin = in.natural("an origin");
        int count = in.count("submissions", LEAST_PART_BYTES);
        if (count > Version.MOST_IN_AN_ENTRY) {
            throw new BadDataException(
                    count + " submissions in an entry; at most " + Version.MOST_IN_AN_ENTRY + " are taken");
        }
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new Part(in.natural("a ticket"), Body.read(in)));
        }
        in.end();
        return new FrontedEntry(epoch, origin, parts);
    }

    private static FrontedEntry ofEarlierForm(byte[] bytes, Tokens ring) throws BadDataException {
        try {
            return of(LogCodec.entry(bytes), ring);
        } catch (IllegalArgumentException e) {
            throw new BadDataException(String.valueOf(e.getMessage()));
        }
    }
}
