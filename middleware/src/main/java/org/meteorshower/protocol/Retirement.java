/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forgets mutations that no decision needs any more, and bounds what is kept.
 *
 * <p>A record goes when all replicas are known to have applied the mutation (or a retired one overwrote all its cells),
 * every peer has acknowledged this node's own announcement, and this node covers a cut at which it is visible; from then
 * on reads here use no older cut. Over the limit, the peer that keeps the most records is left behind: it is waited for
 * no longer, and takes part again only after a full repair.
 */
final class Retirement {
    private static final long NOT_STARTED = Long.MIN_VALUE;

    /** In stream time-outs: how long a peer that is heard may lack a mutation before it can be left behind for it. */
    private static final int PATIENCE = 10;

    private final NodeId self;
    private final Settings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Knowledge knowledge;
    private final Set<NodeId> leftBehind;
    private long startedNanos = NOT_STARTED;

    Retirement(
            NodeId self,
            Settings settings,
            Turn turn,
            StatusMap statusMap,
            Knowledge knowledge,
            Set<NodeId> leftBehind) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.knowledge = knowledge;
        this.leftBehind = leftBehind;
    }

    /** Retires the record if it may go; returns whether it went, now or before. */
    boolean retired(MutationRecord record) {
        PartitionState state = statusMap.state(record.key);
        if (state == null || state.find(record.id) != record) {
            return true;
        }
        Long visibleFrom = visibleFromIfDone(record, state);
        if (visibleFrom == null
                || record.local == MutationRecord.Local.APPLYING
                || !record.isAcknowledgedByAll(self, leftBehind)
                || CutChooser.newestCovered(record.group(), knowledge.of(record.group())) < visibleFrom) {
            return false;
        }
        boolean journaled = record.local == MutationRecord.Local.APPLIED;
        // Whoever was left behind lacks it: told that it is done with, others would forget it, and that one skip it.
        boolean everywhere = record.group().members().stream().noneMatch(leftBehind::contains);
        statusMap.retire(record, visibleFrom, everywhere ? Long.valueOf(turn.clock.value()) : null);
        if (journaled) {
            turn.emit(new Effect.JournalRetired(record.key, record.id));
        }
        return true;
    }

    private @Nullable Long visibleFromIfDone(MutationRecord record, PartitionState state) {
        if (record.isAppliedEverywhere(leftBehind) && record.visibleFromMicros() != MutationRecord.NEVER) {
            return record.local == MutationRecord.Local.ABSENT
                    ? Long.valueOf(record.everywhereByMicros)
                    : Long.valueOf(record.visibleFromMicros());
        }
        return state.isDominatedByRetired(record) ? state.floorMicros : null;
    }

    /** Over the limit: the peer that the most records wait for is left behind, a silent one first. */
    void enforceLimit(MessageReceiver receiver) {
        if (startedNanos == NOT_STARTED) {
            startedNanos = turn.nanos();
        }
        if (statusMap.size() <= settings.maxRecords()) {
            return;
        }
        Map<NodeId, Integer> waitedFor = new HashMap<>();
        Map<NodeId, Integer> waitedForLong = new HashMap<>();
        for (MutationRecord record : statusMap.all()) {
            if (record.visibleFromMicros() == MutationRecord.NEVER) {
                continue; // who lacks it is not what keeps it: fewer than w have it, so leaving them behind helps
                // nothing
            }
            boolean old = (turn.nanos() - Math.max(record.createdNanos, startedNanos)) / 1_000
                    > PATIENCE * settings.streamTimeoutMicros();
            for (int i = 0; i < record.group().size(); i++) {
                NodeId member = record.group().members().get(i);
                boolean complete = record.isAppliedAt(i) && record.isAcknowledgedBy(i);
                if (!complete && !member.equals(self) && !leftBehind.contains(member)) {
                    waitedFor.merge(member, 1, Integer::sum);
                    if (old) {
                        waitedForLong.merge(member, 1, Integer::sum);
                    }
                }
            }
        }
        NodeId worst = worst(waitedFor, receiver, true);
        if (worst == null) {
            // One that is heard may be catching up: it is given time, else a repaired peer would be left behind at
            // once.
            worst = worst(waitedForLong, receiver, false);
        }
        if (worst != null) {
            leftBehind.add(worst);
            turn.emit(new Effect.JournalStale(worst, true));
            turn.alarm(
                    Effect.AlarmKind.PEER_STALE,
                    "peer " + worst + ": " + waitedFor.get(worst)
                            + " records wait for it, over the limit of " + settings.maxRecords()
                            + " (max_records): it is left behind until it has been repaired");
        }
    }

    private @Nullable NodeId worst(Map<NodeId, Integer> waitedFor, MessageReceiver receiver, boolean silentOnly) {
        NodeId worst = null;
        for (Map.Entry<NodeId, Integer> entry : waitedFor.entrySet()) {
            // A node that has just started has not heard anybody yet.
            long upMicros = (turn.nanos() - startedNanos) / 1_000;
            boolean silent =
                    Math.min(upMicros, receiver.silentForMicros(entry.getKey())) > settings.streamTimeoutMicros();
            if ((silent || !silentOnly) && (worst == null || entry.getValue() > waitedFor.getOrDefault(worst, 0))) {
                worst = entry.getKey();
            }
        }
        return worst;
    }
}
