/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;

/**
 * A place in the merged order, with what is needed to go on from it.
 *
 * @param count of merged entries before it: the token of what was read or written there
 * @param positions by lane, the first one that is not merged yet
 * @param epochs by lane, the effective epoch of the last entry that is
 * @param digest of everything that the merged entries did
 */
public record Checkpoint(long count, List<Long> positions, List<Long> epochs, long digest) {
    public Checkpoint {
        positions = List.copyOf(positions);
        epochs = List.copyOf(epochs);
    }

    public static Checkpoint first(int lanes) {
        List<Long> zeros = java.util.Collections.nCopies(lanes, 0L);
        return new Checkpoint(0, zeros, zeros, 0);
    }
}
