/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.torture.StockRequest.Answer;

/**
 * What one fault did to clients of an ordinary table at QUORUM: Cassandra itself, on the same nodes at the same time.
 * Immutable. Errors that are expected of Cassandra for the fault are left out, as with the others.
 *
 * @param requests how many ended while it went on
 * @param refused of these
 * @param timedOut of these
 * @param unreachable of these
 * @param longestMillis the longest that anybody waited; 0 where nobody asked
 */
record OrdinaryFigures(int requests, int refused, int timedOut, int unreachable, double longestMillis) {
    /** @param span the fault; null: the time without one */
    static OrdinaryFigures of(@Nullable FaultSpan span, List<StockRequest> requests) {
        List<StockRequest> counted = requests.stream()
                .filter(request -> span == null || !request.answer().isFailure() || !PlainToo.would(request, span))
                .toList();
        return new OrdinaryFigures(
                requests.size(),
                count(counted, Answer.REFUSED),
                count(counted, Answer.TIMED_OUT),
                count(counted, Answer.UNREACHABLE),
                counted.stream().mapToDouble(StockRequest::millis).max().orElse(0));
    }

    private static int count(List<StockRequest> requests, Answer answer) {
        return (int)
                requests.stream().filter(request -> request.answer() == answer).count();
    }

    int failed() {
        return refused + timedOut + unreachable;
    }
}
