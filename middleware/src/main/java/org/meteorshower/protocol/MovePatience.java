/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;

/**
 * How many looks a changed ring must stay as it is before this node begins the table's next epoch. Looks are a second
 * apart; less where reads wait for that epoch, all of its replicas are up, and this node is the first to act. Used by
 * one thread.
 *
 * @param <T> how the embedder tells tables apart, over all their epochs
 */
public final class MovePatience<T> {
    /** A change of the ring that is still in flux at one look is not at the next. */
    static final int LOOKS = 2;

    /** The node with the smallest id is to act; the next one does if it has not for so many looks. */
    static final int LOOKS_PER_RANK = 5;

    /**
     * A replica of the new ring that is down may be a ghost: for a minute after a node was replaced, another that
     * restarts takes the dead one for the owner. An epoch with it would have to be taken back, and a table that nobody
     * serves meanwhile.
     */
    static final int LOOKS_WITH_ONE_DOWN = 300;

    private record Seen(String ring, boolean allUp, int looks) {}

    private final Map<T, Seen> seen = new HashMap<>();

    /** The ring is that of the table's present epoch. */
    public void forget(T table) {
        seen.remove(table);
    }

    /**
     * To be asked once a look. What was waited for while a replica was down does not count when it is up: all nodes
     * have waited as long, and would act at once.
     *
     * @param rank how many live nodes have smaller ids
     */
    public boolean isOver(T table, String ring, boolean allUp, int rank) {
        Seen before = seen.get(table);
        boolean same = before != null && before.ring().equals(ring) && before.allUp() == allUp;
        int looks = before != null && same ? before.looks() + 1 : 1;
        if (looks < (allUp ? 0 : LOOKS_WITH_ONE_DOWN) + LOOKS + LOOKS_PER_RANK * rank) {
            seen.put(table, new Seen(ring, allUp, looks));
            return false;
        }
        seen.remove(table);
        return true;
    }
}
