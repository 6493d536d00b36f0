/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Request;

/** A submission of this data centre's clients that is not answered yet. */
final class Waiting {
    final long client;
    final long deadlineNanos;
    final Request request;
    /** As they are sent. */
    final int bytes;

    /** As the heap holds them. */
    final int weight;

    boolean proposed;

    /** The ballot under which another data centre was asked to propose it. */
    long forwardedTo = Ballot.NONE;

    Waiting(long client, long deadlineNanos, Request request, int bytes, int weight) {
        this.client = client;
        this.deadlineNanos = deadlineNanos;
        this.request = request;
        this.bytes = bytes;
        this.weight = weight;
    }
}
