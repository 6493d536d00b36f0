/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node that starts must not believe of its own journal. Used by the thread that starts the node. */
final class Forgetting {
    private static final Logger log = LoggerFactory.getLogger(Forgetting.class);

    private Forgetting() {}

    /**
     * Drops what the journal says of tables that were disabled, moved, or written to unannounced, since. A node can
     * take the ring for another one for a while after its start, and follow the same epoch once more when it sees
     * better: so it is noted that it has forgotten what it stamped in that.
     *
     * @param tables as the journal has them
     * @param forgotten where it is noted
     */
    static void whatIsNotSo(
            List<JournalWriter.TableState> tables,
            UnbrokenRuns runs,
            RingPlacement placement,
            MeteorShower meteorShower,
            EpochMarks forgotten) {
        boolean broken = !tables.isEmpty() && runs.isBroken();
        if (broken) {
            log.warn(
                    "MeteorShower: this node has run without the plugin since it last ran with it, and may hold writes that"
                            + " no other node was told of. Its enabled tables must be repaired in full before they are served here:"
                            + " the nodes see to that (automatic_baseline).");
        }
        for (JournalWriter.TableState state : tables) {
            boolean unplaced = placement.groupsOf(state.table()).isEmpty();
            if (unplaced) {
                forgotten.add(state.table());
            }
            if (broken || unplaced) {
                meteorShower.tableDisabled(state.table());
            }
        }
    }
}
