/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Tells whoever runs the core at which cuts partitions can be read in which nothing is in flight, so that such reads
 * need no step (docs/ARCHITECTURE.md, "Reads of partitions at rest"). For the groups and tables that were read of late.
 */
final class RestingCuts {
    /** So often a read of each group and table is a step all the same: it keeps {@link Attention} awake. */
    private static final long HELD_NANOS = 100_000_000;

    private static final int MOST = 256;

    /** A group and a table, and until when nobody needs to ask again. */
    private static final class Wanted {
        final ReplicaGroup group;
        final UUID table;
        long untilNanos;

        Wanted(ReplicaGroup group, UUID table, long untilNanos) {
            this.group = group;
            this.table = table;
            this.untilNanos = untilNanos;
        }
    }

    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final Leases leases;
    private final List<Wanted> wanted = new ArrayList<>();
    private List<Effect.RestingCut> told = List.of();
    private boolean askedFor;

    RestingCuts(Turn turn, StatusMap statusMap, TableStates tables, Knowledge knowledge, Leases leases) {
        this.leases = leases;
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
    }

    /** A read in a mode without bound was given a cut in this step: more such reads are likely to follow. */
    void wanted(ReplicaGroup group, UUID table) {
        long untilNanos = turn.nanos() + HELD_NANOS;
        for (int i = 0; i < wanted.size(); i++) {
            Wanted one = wanted.get(i);
            if (one.table.equals(table) && one.group.equals(group)) {
                askedFor |= untilNanos - one.untilNanos > HELD_NANOS / 2;
                one.untilNanos = askedFor ? untilNanos : one.untilNanos;
                return;
            }
        }
        if (wanted.size() < MOST) {
            askedFor = true;
            wanted.add(new Wanted(group, table, untilNanos));
        }
    }

    /**
     * The last thing that happens in a step: what began to be in flight in it, and, where anything else may have
     * changed what reads rely on, the cuts as they are now.
     *
     * @param anew whether the cuts may be others than before, or less
     */
    void tell(boolean anew) {
        for (PartitionKey key : statusMap.takeStirred()) {
            turn.emit(new Effect.Stirred(key));
        }
        List<PartitionKey> settled = statusMap.takeSettled();
        boolean contentUnknown = statusMap.takeContentUnknown();
        if (!anew && !askedFor && settled.isEmpty() && !contentUnknown) {
            return;
        }
        askedFor = false;
        List<Effect.RestingCut> cuts = cuts();
        if (!cuts.equals(told) || !settled.isEmpty() || contentUnknown) {
            told = cuts;
            turn.emit(new Effect.Rested(cuts, settled, contentUnknown));
        }
    }

    private List<Effect.RestingCut> cuts() {
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<Effect.RestingCut> cuts = new ArrayList<>(wanted.size());
        wanted.removeIf(one -> turn.nanos() - one.untilNanos >= 0);
        for (Wanted one : wanted) {
            long cutMicros = newestFor(one);
            if (cutMicros != Long.MIN_VALUE) {
                long strictUntilNanos =
                        one.group.strictAtHome() ? leases.heldUntilNanos(one.group, one.table) : Long.MIN_VALUE;
                cuts.add(new Effect.RestingCut(one.group, one.table, cutMicros, one.untilNanos, strictUntilNanos));
            }
        }
        return cuts;
    }

    /** What {@link ReadWorker} would answer at, or {@link Long#MIN_VALUE}. */
    private long newestFor(Wanted one) {
        if (!tables.isServed(one.table, one.group)) {
            return Long.MIN_VALUE;
        }
        long cutMicros = CutChooser.newestCovered(one.group, knowledge.soFar(one.group, one.table));
        long oldestMicros =
                Math.max(Math.max(statusMap.floorAtRest(), knowledge.floorMicros()), tables.floorOf(one.table));
        return cutMicros >= oldestMicros ? cutMicros : Long.MIN_VALUE;
    }
}
