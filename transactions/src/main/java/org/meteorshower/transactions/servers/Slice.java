/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.SessionId;

/**
 * Those submissions of a merged entry that touch a range.
 *
 * @param count the entry's place in the merged order, from 0
 * @param lane where the entry stands
 * @param position the same
 */
public record Slice(long count, int lane, long position, List<Piece> pieces) {
    static final int WEIGHT = 64;
    static final int PER_PIECE = 40;

    /** @param index of the submission in its entry */
    public record Piece(int index, Body body) {}

    public Slice {
        pieces = List.copyOf(pieces);
    }

    /** About how many bytes it takes on the heap, or will when it is begun. */
    public int weight() {
        int bytes = WEIGHT;
        for (Piece piece : pieces) {
            bytes += PER_PIECE + piece.body.weight();
        }
        return bytes;
    }

    SessionId place(Piece piece) {
        return new SessionId(lane, position, piece.index);
    }
}
