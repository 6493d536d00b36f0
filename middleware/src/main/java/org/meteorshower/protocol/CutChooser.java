/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest cut at which this replica can answer a read (docs/ARCHITECTURE.md, "Reads at a cut"). Reads state,
 * changes none.
 *
 * <p>A cut t will do when at least r replicas' announcements up to t are known here, and every mutation of the rows
 * that is not overwritten by a later visible one is decided: visible and present, or invisible and absent or kept apart
 * by the history.
 */
final class CutChooser {
    private static final int MAX_STEPS_BACK = 64;

    /**
     * @param overlay null when the store's content is the answer
     * @param older whether something in flight forced a cut below the newest covered one
     */
    record Choice(long cutMicros, Effect.@Nullable Overlay overlay, boolean needsStore, boolean older) {}

    private CutChooser() {}

    /** The newest cut that at least r members cover, or {@link Long#MIN_VALUE} where there is none. */
    static long newestCovered(ReplicaGroup group, Coverage[] coverage) {
        long[] newest = new long[coverage.length];
        for (int i = 0; i < newest.length; i++) {
            newest[i] = coverage[i].newestMicros();
        }
        long cut = Order.largest(newest, group.readQuorum());
        return isCovered(group, coverage, cut) ? cut : Long.MIN_VALUE;
    }

    static boolean isCovered(ReplicaGroup group, Coverage[] coverage, long cut) {
        int covering = 0;
        for (Coverage one : coverage) {
            if (one.contains(cut)) {
                covering++;
            }
        }
        return covering >= group.readQuorum();
    }

    /**
     * @param newestCoveredMicros as of {@link #newestCovered}
     * @param row the hash of the only row read, or {@link Update#ANY_ROW}
     * @param oldestMicros the cut may not be older
     * @param newestMicros nor newer, where coverage allows
     * @return null where the read must wait
     */
    static @Nullable Choice choose(
            ReplicaGroup group,
            Coverage[] coverage,
            long newestCoveredMicros,
            @Nullable PartitionState state,
            long row,
            long oldestMicros,
            long newestMicros) {
        long cut = Math.min(newestMicros, newestCoveredMicros);
        if (cut < oldestMicros) {
            return null;
        }
        if (state == null || state.isEmpty()) {
            return isCovered(group, coverage, cut) ? new Choice(cut, null, true, false) : null;
        }
        for (int step = 0; step < MAX_STEPS_BACK && cut >= oldestMicros; step++) {
            if (!isCovered(group, coverage, cut)) {
                return null;
            }
            AtCut at = new AtCut(cut, state, coverage);
            MutationRecord obstacle = at.firstObstacle(row);
            if (obstacle == null) {
                return at.choice(row, step > 0);
            }
            // Right below the earliest moment at which the obstacle can become visible it is invisible for certain.
            long below = obstacle.invisibleBelowMicros(coverage) - 1;
            if (below >= cut) {
                return null; // it is invisible already, and that is the trouble: it cannot be kept apart
            }
            cut = below;
        }
        return null;
    }

    /**
     * What a read at this very cut can be answered with, which r members cover.
     *
     * @param choice null where it cannot, or not yet
     * @param hopeless whether it never can: what is not visible at the cut is in the store, and was not kept apart
     */
    record Pinned(@Nullable Choice choice, boolean hopeless) {}

    /** As {@link #choose}, of a whole partition, at a cut that was chosen before. */
    static Pinned at(long cutMicros, Coverage[] coverage, @Nullable PartitionState state) {
        if (state == null || state.isEmpty()) {
            return new Pinned(new Choice(cutMicros, null, true, false), false);
        }
        AtCut at = new AtCut(cutMicros, state, coverage);
        MutationRecord obstacle = at.firstObstacle(Update.ANY_ROW);
        return obstacle == null
                ? new Pinned(at.choice(Update.ANY_ROW, false), false)
                : new Pinned(null, obstacle.isInvisibleAt(cutMicros, coverage));
    }

    /** A partition's mutations in flight, seen from one cut. */
    private static final class AtCut {
        private final long cut;
        private final PartitionState state;
        private final Coverage[] coverage;
        private boolean overlayNeeded;

        AtCut(long cut, PartitionState state, Coverage[] coverage) {
            this.cut = cut;
            this.state = state;
            this.coverage = coverage;
        }

        /** The first mutation that keeps this cut from being used, or null. */
        @Nullable
        MutationRecord firstObstacle(long row) {
            List<MutationRecord> laterVisible = new ArrayList<>(2);
            for (MutationRecord record : state.latestFirst()) {
                if (!record.touches(row) || isDominated(record, laterVisible)) {
                    continue;
                }
                if (record.visibleFromMicros() <= cut) {
                    if (!record.isPresentAt(cut)) {
                        if (record.update() == null || !record.coveredByHistory) {
                            return record; // visible, but not present
                        }
                        overlayNeeded = true;
                    }
                    laterVisible.add(record);
                } else if (record.isInvisibleAt(cut, coverage)) {
                    if (record.local != MutationRecord.Local.ABSENT || record.maybeInStore) {
                        if (!record.coveredByHistory || state.history() == null) {
                            return record; // invisible, but the store shows it
                        }
                        overlayNeeded = true;
                    }
                } else {
                    return record; // undecided
                }
            }
            return null;
        }

        private static boolean isDominated(MutationRecord record, List<MutationRecord> laterVisible) {
            for (MutationRecord later : laterVisible) {
                if (record.isDominatedBy(later)) {
                    return true;
                }
            }
            return false;
        }

        Choice choice(long row, boolean older) {
            History history = state.history();
            boolean rowKept = history != null && history.coversRow(row);
            if (history == null || !(overlayNeeded || rowKept)) {
                return new Choice(cut, null, true, older);
            }
            // Less what a later visible one overwrites: while a replica is down a row can have thousands.
            List<MutationRecord> visible = new ArrayList<>(2);
            List<Update> updates = new ArrayList<>(2);
            for (MutationRecord record : state.latestFirst()) {
                Update update =
                        record.update(); // where the journal alone has it, the history and the store have it, too
                if (record.touches(row)
                        && update != null
                        && record.visibleFromMicros() <= cut
                        && !isDominated(record, visible)) {
                    visible.add(record);
                    updates.add(update);
                }
            }
            return new Choice(cut, new Effect.Overlay(history, updates), !rowKept, older);
        }
    }
}
