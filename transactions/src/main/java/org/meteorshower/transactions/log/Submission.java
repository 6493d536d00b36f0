/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request in an entry: as it is, or, in entries of the form with fronts, as bytes that are read once somebody needs
 * it. Immutable but for whether it has been read, which its core's thread alone asks and changes; equality is by
 * content and form.
 */
public final class Submission {
    private static final int WEIGHT = 40;

    private final long ticket;
    private final @Nullable Body body;

    /** Null where it is bytes that nobody has read. */
    private @Nullable Request request;

    /** Reads a request. The same, whoever reads. */
    public interface Reader {
        /** What is executed. */
        Request executed(Body body);
    }

    private Submission(long ticket, @Nullable Body body, @Nullable Request request) {
        this.ticket = ticket;
        this.body = body;
        this.request = request;
    }

    /** @param ticket names who waits for it, at the lane's data centre; 0 where nobody does */
    public Submission(long ticket, Request request) {
        this(ticket, null, request);
    }

    /** @param ticket the same */
    public Submission(long ticket, Body body) {
        this(ticket, body, null);
    }

    /**
     * One that was read already.
     *
     * @param request what is executed of the body
     */
    public static Submission read(long ticket, Body body, Request request) {
        return new Submission(ticket, body, request);
    }

    public long ticket() {
        return ticket;
    }

    /** What it is as bytes, after its front; null where it has none. */
    public @Nullable Body body() {
        return body;
    }

    /**
     * What is executed.
     *
     * @throws IllegalStateException if it is bytes that nobody has read
     */
    public Request request() {
        Request read = request;
        if (read == null) {
            throw new IllegalStateException("a submission that is bytes");
        }
        return read;
    }

    /** What is executed; is remembered until it is {@linkplain #take taken}. */
    public Request read(Reader reader) {
        Request read = take(reader);
        request = read;
        return read;
    }

    /** What is executed; whoever asks again reads it again, where it is bytes. */
    public Request take(Reader reader) {
        Request read = request;
        if (read != null) {
            request = body == null ? read : null;
            return read;
        } else if (body == null) {
            throw new IllegalStateException("a submission of nothing");
        }
        return reader.executed(body);
    }

    /** About how many bytes it takes on the heap, or will when it is read. */
    public int weight() {
        return WEIGHT + (body == null ? request().weight() : body.weight());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Submission submission
                && ticket == submission.ticket
                && Objects.equals(body, submission.body)
                && (body != null || Objects.equals(request, submission.request));
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(ticket) + (body == null ? Objects.hashCode(request) : body.hashCode());
    }

    @Override
    public String toString() {
        return "Submission[ticket=" + ticket + ", " + (body == null ? request : body) + "]";
    }
}
