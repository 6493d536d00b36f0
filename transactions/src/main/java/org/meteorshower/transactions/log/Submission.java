/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

/**
 * A request in an entry.
 *
 * @param ticket names who waits for it, at the lane's data centre; 0 where nobody does
 */
public record Submission(long ticket, Request request) {
    private static final int WEIGHT = 40;

    /** About how many bytes it takes on the heap. */
    public int weight() {
        return WEIGHT + request.weight();
    }
}
