/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;

/** A submission of this data centre's clients that is not answered yet. */
final class Waiting {
    final long client;
    final long deadlineNanos;
    private final Request request;

    /** As they are sent. */
    final int bytes;

    /** As the heap holds them. */
    final int weight;

    boolean proposed;

    /** The ballot under which another data centre was asked to propose it. */
    long forwardedTo = Ballot.NONE;

    private final @Nullable Body body;

    Waiting(long client, long deadlineNanos, Submission submission, Request request, int weight) {
        this.client = client;
        this.deadlineNanos = deadlineNanos;
        this.request = request;
        this.body = submission.body();
        this.bytes = body == null ? LogCodec.size(request) : body.request().size();
        this.weight = weight;
    }

    /** What is to be proposed again. */
    Submission submission(long ticket) {
        return body == null ? new Submission(ticket, request) : Submission.read(ticket, body, request);
    }
}
