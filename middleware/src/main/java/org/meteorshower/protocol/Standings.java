/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of its replica groups, for the reads that one step looks at: many wait, in few groups. Not to be
 * kept over a step that stamps anything.
 */
final class Standings {
    /** What is known of one group's replicas of one table. */
    static final class Standing {
        private final ReplicaGroup group;
        private final UUID table;

        /** As of {@link Knowledge#of}; null where the table cannot be served by this group now. */
        final Coverage @Nullable [] coverage;

        /** As of {@link CutChooser#newestCovered}. */
        final long newestCoveredMicros;

        /** Reads of the table use no older cuts. */
        final long tableFloorMicros;

        Standing(ReplicaGroup group, UUID table, Coverage @Nullable [] coverage, long tableFloorMicros) {
            this.group = group;
            this.table = table;
            this.coverage = coverage;
            this.newestCoveredMicros = coverage == null ? Long.MIN_VALUE : CutChooser.newestCovered(group, coverage);
            this.tableFloorMicros = tableFloorMicros;
        }

        /** Whether at least r members cover this cut. */
        boolean covers(long cutMicros) {
            return coverage != null && CutChooser.isCovered(group, coverage, cutMicros);
        }
    }

    private final TableStates tables;
    private final Knowledge knowledge;
    private final List<Standing> known = new ArrayList<>(1);

    Standings(TableStates tables, Knowledge knowledge) {
        this.tables = tables;
        this.knowledge = knowledge;
    }

    Standing of(ReplicaGroup group, UUID table) {
        for (int i = 0; i < known.size(); i++) {
            Standing standing = known.get(i);
            if (standing.group.equals(group) && standing.table.equals(table)) {
                return standing;
            }
        }
        Coverage[] coverage = tables.isServed(table, group) ? knowledge.of(group, table) : null;
        Standing standing = new Standing(group, table, coverage, tables.floorOf(table));
        known.add(standing);
        return standing;
    }
}
