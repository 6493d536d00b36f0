/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.merge.Merged;

/**
 * An entry in its place in the merged order, each of its submissions with a front.
 *
 * @param count from 0
 * @param lane where it stands
 * @param position the same
 */
public record Placed(long count, int lane, long position, Entry entry) {
    /** @throws IllegalArgumentException as of {@link Bodies#of} */
    public static Placed of(Merged merged, Bodies bodies) {
        return new Placed(merged.number(), merged.lane(), merged.position(), bodies.fronted(merged.entry()));
    }

    /** @throws IllegalArgumentException if it has no front */
    Body body(int index) {
        Body body = entry.submissions().get(index).body();
        if (body == null) {
            throw new IllegalArgumentException("submission " + index + " of entry " + count + " has no front");
        }
        return body;
    }

    SessionId place(int index) {
        return new SessionId(lane, position, index);
    }
}
