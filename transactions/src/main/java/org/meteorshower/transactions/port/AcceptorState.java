/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;

/**
 * What an acceptor knows of one lane, as it stands in the store or is told to another data centre.
 *
 * @param floor below it entries are gone: every data centre that was heard had them executed durably
 */
public record AcceptorState(long promised, long floor, List<AcceptedEntry> accepted) {
    private static final int WEIGHT = 48;

    public static final AcceptorState EMPTY = new AcceptorState(0, 0, List.of());

    public AcceptorState {
        accepted = List.copyOf(accepted);
    }

    /** About how many bytes it takes on the heap. */
    public long weight() {
        return accepted.stream()
                .mapToLong(vote -> WEIGHT + vote.entry().weight())
                .sum();
    }
}
