/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.merge.Merged;

/**
 * An entry in its place in the merged order.
 *
 * @param count from 0
 * @param lane where it stands
 * @param position the same
 */
public record Placed(long count, int lane, long position, FrontedEntry entry) {
    /** @throws IllegalArgumentException as of {@link Body#of} */
    public static Placed of(Merged merged, Tokens ring) {
        return new Placed(merged.number(), merged.lane(), merged.position(), FrontedEntry.of(merged.entry(), ring));
    }

    SessionId place(int index) {
        return new SessionId(lane, position, index);
    }
}
