/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Durable.Installing;

/**
 * What a new process read from the store, after it had written the fence. What is settled is not among it: that is read
 * from the log when its turn comes.
 *
 * @param life names this process; what it wrote into the fence. Positive, and never used before
 * @param generation of this data centre's disk; 0 where it is blank, be it new or lost
 * @param generations by data centre, the highest known, 1 where nothing is
 * @param livesByDc by data centre, the process that had the generation confirmed here, where one had
 * @param acceptors by lane; of the accepted entries those that are not below {@code settled}
 * @param learned by lane, entries from there on that are known to be decided. The ballot of each is that under which
 *     this data centre has accepted something at the position; none where it has not
 * @param settled by lane: below it the log holds what was decided. Not below the checkpoint's positions
 * @param checkpoint the last one done
 * @param edition of the rows; 0 where there is none that is whole
 * @param newestEdition of which there may be rows: what is installed next goes into a newer one, also where the disk
 *     counts as blank, since a process before this one may have begun to fill it
 * @param installing what was being installed when the last process ended; null where nothing was
 * @param logBytes about how much the log takes on disk, from its floors on
 */
public record Recovery(
        long life,
        int generation,
        List<Integer> generations,
        Map<Integer, Long> livesByDc,
        List<AcceptorState> acceptors,
        List<List<AcceptedEntry>> learned,
        List<Long> settled,
        Checkpoint checkpoint,
        int edition,
        int newestEdition,
        @Nullable Installing installing,
        long logBytes) {
    /** The edition of rows that a data centre is founded with. No snapshot is ever put into it. */
    public static final int FIRST_EDITION = 1;

    public Recovery {
        generations = List.copyOf(generations);
        livesByDc = Collections.unmodifiableMap(new LinkedHashMap<>(livesByDc));
        acceptors = List.copyOf(acceptors);
        learned = List.copyOf(learned);
        settled = List.copyOf(settled);
    }

    /** The first start of a data centre that an operator founds together with the others. */
    public static Recovery founding(int dcs, long life) {
        return blank(dcs, life, 1, FIRST_EDITION, FIRST_EDITION);
    }

    /**
     * A start without anything: the disk was lost. What the tables held when the order began is lost too.
     *
     * @param newestEdition that a process since then has begun to fill; 0 for none
     */
    public static Recovery blank(int dcs, long life, int newestEdition) {
        return blank(dcs, life, 0, 0, Math.max(FIRST_EDITION, newestEdition));
    }

    private static Recovery blank(int dcs, long life, int generation, int edition, int newestEdition) {
        return new Recovery(
                life,
                generation,
                Collections.nCopies(dcs, 1),
                Map.of(),
                Collections.nCopies(dcs, AcceptorState.EMPTY),
                Collections.nCopies(dcs, List.of()),
                Collections.nCopies(dcs, 0L),
                Checkpoint.first(dcs),
                edition,
                newestEdition,
                null,
                0);
    }
}
