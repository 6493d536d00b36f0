/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of its replica groups, for the reads that one step looks at: many wait, in few groups. Not to be kept
 * over a step that stamps anything.
 */
final class Standings {
    private static final class Standing {
        final ReplicaGroup group;
        final UUID table;
        final Coverage @Nullable [] coverage;

        Standing(ReplicaGroup group, UUID table, Coverage @Nullable [] coverage) {
            this.group = group;
            this.table = table;
            this.coverage = coverage;
        }
    }

    private final NodeId self;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final List<Standing> known = new ArrayList<>(1);

    Standings(NodeId self, TableStates tables, Knowledge knowledge) {
        this.self = self;
        this.tables = tables;
        this.knowledge = knowledge;
    }

    /** As of {@link Knowledge#of}; null where the table cannot be served by this group now. */
    Coverage @Nullable [] of(ReplicaGroup group, UUID table) {
        for (Standing standing : known) {
            if (standing.group.equals(group) && standing.table.equals(table)) {
                return standing.coverage;
            }
        }
        Coverage[] coverage = tables.notReady(table, group, self) == null ? knowledge.of(group, table) : null;
        known.add(new Standing(group, table, coverage));
        return coverage;
    }
}
