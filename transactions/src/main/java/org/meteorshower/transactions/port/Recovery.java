/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Durable.Redo;

/**
 * What a new process read from the store, after it had written the fence.
 *
 * @param life names this process; what it wrote into the fence. Positive, and never used before
 * @param generation of this data centre's disk; 0 where it is blank, be it new or lost
 * @param generations by data centre, the highest known, 1 where nothing is
 * @param acceptors by lane
 * @param checkpoint the last one done
 * @param redo the last one that is newer than the checkpoint; null where there is none
 * @param tablesUnusable whether a snapshot was being installed
 */
public record Recovery(
        long life,
        int generation,
        List<Integer> generations,
        Map<Integer, Long> livesByDc,
        List<AcceptorState> acceptors,
        Checkpoint checkpoint,
        @Nullable Redo redo,
        boolean tablesUnusable) {
    public Recovery {
        generations = List.copyOf(generations);
        livesByDc = Map.copyOf(livesByDc);
        acceptors = List.copyOf(acceptors);
    }

    /** The first start of a data centre that an operator founds together with the others. */
    public static Recovery founding(int dcs, long life) {
        return blank(dcs, life, 1);
    }

    /** A start without anything: the disk was lost. What the tables held when the order began is lost too. */
    public static Recovery blank(int dcs, long life) {
        return blank(dcs, life, 0);
    }

    private static Recovery blank(int dcs, long life, int generation) {
        return new Recovery(
                life,
                generation,
                java.util.Collections.nCopies(dcs, 1),
                Map.of(),
                java.util.Collections.nCopies(dcs, AcceptorState.EMPTY),
                Checkpoint.first(dcs),
                null,
                generation == 0);
    }
}
