/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import org.meteorshower.transactions.language.Bytes;

/**
 * A submission's request as bytes, and what it says in front of them. The two may disagree, or the bytes make no sense:
 * who executes asks for both ({@code fronts.Bodies}).
 *
 * @param told about how many bytes of heap the request takes when it is read. Nothing that is executed depends on it:
 *     releases may weigh otherwise
 */
public record Body(Front front, int told, Bytes request) {
    private static final int WEIGHT = 64;

    /** For each byte of a request no more is believed. */
    private static final long MOST_TIMES = 64;

    /** About how many bytes it takes on the heap, or will when it is read. */
    public int weight() {
        long read = Math.min(told, MOST_TIMES * request.size());
        return (int) Math.max(WEIGHT + front.weight() + request.size(), read);
    }
}
