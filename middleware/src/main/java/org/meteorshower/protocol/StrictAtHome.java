/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the cut of a strict read of a table with strict reads at home. When it began, this node held, so every
 * mutation that was complete anywhere is known here: these are <i>due</i>. The cut is one at which all of them are
 * visible, and nothing that is visible is incomplete: another holder could answer without that.
 */
final class StrictAtHome {
    private final Turn turn;
    private final StatusMap statusMap;
    private final Leases leases;
    private final Completeness completeness;

    StrictAtHome(Turn turn, StatusMap statusMap, Leases leases, Completeness completeness) {
        this.turn = turn;
        this.statusMap = statusMap;
        this.leases = leases;
        this.completeness = completeness;
    }

    static boolean isAsked(ReadMode mode, ReplicaGroup group) {
        return group.strictAtHome() && ReadBounds.isStrict(mode);
    }

    /** Whether this node holds just now; asks for it where it does not. */
    boolean holds(ReplicaGroup group, UUID table) {
        leases.used(table);
        return leases.holds(group, table);
    }

    String whyNot(ReplicaGroup group, UUID table) {
        return leases.whyNot(group, table);
    }

    /** The oldest cut at which all that is due is visible, or, where that one will not do, the newest. */
    CutChooser.@Nullable Choice choose(
            ReadSubscriptionMap.Subscription read,
            ReplicaGroup group,
            Standings.Standing standing,
            @Nullable PartitionState state,
            long floorMicros) {
        Coverage[] coverage = standing.coverage;
        if (coverage == null || !holds(group, read.key.table())) {
            return null;
        }
        List<MutationRecord> due = read.due;
        read.due = stillDue(read, due == null ? due(read.key, read.row) : due);
        if (!read.due.isEmpty()) {
            return null;
        }
        long oldest = Math.max(floorMicros, read.oldestMicros);
        for (long newest : new long[] {oldest, Long.MAX_VALUE}) {
            CutChooser.Choice choice =
                    CutChooser.choose(group, coverage, standing.newestCoveredMicros, state, read.row, oldest, newest);
            if (choice != null && isAllComplete(state, read.row, choice.cutMicros())) {
                return choice;
            }
        }
        return null;
    }

    /** What a read of the row that begins now has to show, or something later in its place. */
    private List<MutationRecord> due(PartitionKey key, long row) {
        PartitionState state = statusMap.state(key);
        if (state == null) {
            return List.of();
        }
        List<MutationRecord> due = new ArrayList<>(2);
        for (MutationRecord record : state.latestFirst()) {
            if (record.touches(row) && !sleeps(record)) {
                due.add(record);
            }
        }
        return due;
    }

    /**
     * Whether it is stamped here ahead of this node's clock. Nobody can take it for complete then: neither with this
     * node's word, nor without, since whoever pledged it before promising this node anything has a clock that had come
     * to its timestamp, and this node's clock is not behind any that it has heard.
     */
    private boolean sleeps(MutationRecord record) {
        int me = record.group().indexOf(leases.self());
        return record.isAppliedAt(me) && record.appliedAt(me) > turn.clock.value();
    }

    /**
     * Those that are not known to be complete. Of the others none is kept, only from where on they are visible: while a
     * replica is down a row can have thousands.
     */
    private List<MutationRecord> stillDue(ReadSubscriptionMap.Subscription read, List<MutationRecord> due) {
        List<MutationRecord> still = List.of();
        for (MutationRecord record : due) {
            // Of what was retired, or what overwrote it, the partition's floor is above.
            boolean retired = record.partition == null || record.dominatedByRetired;
            if (!retired && completeness.isComplete(record) && record.visibleFromMicros() != MutationRecord.NEVER) {
                read.oldestMicros = Math.max(read.oldestMicros, record.visibleFromMicros());
            } else if (!retired) {
                still = still.isEmpty() ? new ArrayList<>(2) : still;
                still.add(record);
            }
        }
        return still;
    }

    /** Whether all that a read at this cut shows of the row is complete. */
    private boolean isAllComplete(@Nullable PartitionState state, long row, long cutMicros) {
        if (state == null) {
            return true;
        }
        for (MutationRecord record : state.latestFirst()) {
            if (record.touches(row) && record.visibleFromMicros() <= cutMicros && !completeness.isComplete(record)) {
                return false;
            }
        }
        return true;
    }
}
