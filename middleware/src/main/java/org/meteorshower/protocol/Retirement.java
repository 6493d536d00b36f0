/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
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
    private static final long LOOK_EVERY_NANOS = 1_000_000_000L;

    /** In stream time-outs: how long a peer that is heard may lack a mutation before it can be left behind for it. */
    private static final int PATIENCE = 10;

    /** So many times the limit is there room for what peers that are being repaired bring back. */
    private static final int BROUGHT_BACK = 4;

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Knowledge knowledge;
    private final Set<NodeId> leftBehind;

    /** Those left behind whose repair has not begun: nothing waits for them. A subset of {@link #leftBehind}. */
    private final Set<NodeId> notAwaited;

    /** How many records are kept while a peer is repaired and until its streams are back: more than the limit. */
    private int roomForRepair;

    /** When the last repair was announced. What was written before it, and was in flight then, is part of {@link #roomForRepair}. */
    private long repairBeganMicros;

    private long roomEndsNanos = NOT_STARTED;
    private long startedNanos = NOT_STARTED;
    private long lookedNanos = NOT_STARTED;
    private boolean full;

    /** Whether the last look found somebody to leave behind. */
    private boolean helped;

    Retirement(
            NodeId self,
            LiveSettings settings,
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
        this.notAwaited = new HashSet<>(leftBehind);
    }

    /** The first step of a repair: from now on nothing is retired without the peer, which still gets no stream. */
    void awaitAgain(NodeId peer) {
        if (notAwaited.remove(peer)) {
            roomForRepair = statusMap.size() + settings.now().maxRecords();
            repairBeganMicros = turn.clock.value();
        }
    }

    /**
     * Where all peers were left behind, nothing covers a cut, nothing can be retired, and records are over their limit until
     * streams are back: held to it meanwhile, each peer would be given up as soon as its repair begins, for ever.
     */
    private int limit(MessageReceiver receiver) {
        // One that was being repaired and is no peer any more will not be back.
        boolean repairing =
                receiver.peers().stream().anyMatch(peer -> leftBehind.contains(peer) && !notAwaited.contains(peer));
        if (!repairing && (roomEndsNanos == NOT_STARTED || turn.nanos() - roomEndsNanos >= 0)) {
            roomForRepair = 0;
        }
        return Math.max(settings.now().maxRecords(), roomForRepair);
    }

    /**
     * How many records over the limit there may be of mutations that are older than the repair. Hints bring a peer what it has missed:
     * more than the limit, or it would not have been left behind. This node has retired that, hears it all again from the peer, and
     * cannot let it go before that one is back. Given up for it, the peer could never be repaired. Asked after {@link #limit}.
     */
    private long roomFor(int older) {
        return roomForRepair == 0
                ? 0
                : Math.min(older, (long) BROUGHT_BACK * settings.now().maxRecords());
    }

    /** The second step: all that was retired without the peer it has by now, and all else its new stream brings. */
    boolean admit(NodeId peer) {
        if (!leftBehind.contains(peer)) {
            return false;
        }
        if (notAwaited.contains(peer)) {
            turn.alarm(
                    Effect.AlarmKind.PROTOCOL,
                    "peer " + peer + " was not waited for while it was repaired, so it may lack what was retired"
                            + " meanwhile: announce the repair first, then repair it, then say that it is repaired");
            return false;
        }
        leftBehind.remove(peer);
        roomEndsNanos = turn.nanos() + 1_000 * PATIENCE * settings.now().streamTimeoutMicros();
        turn.emit(new Effect.JournalStale(peer, false));
        return true;
    }

    Set<NodeId> awaitedAgain() {
        Set<NodeId> awaited = new HashSet<>(leftBehind);
        awaited.removeAll(notAwaited);
        return awaited;
    }

    /** Whether records are over their limit and no peer can be left behind for it. */
    boolean isFull() {
        return full;
    }

    String whyFull() {
        return statusMap.size() + " mutations are kept here, over the limit of "
                + settings.now().maxRecords()
                + " (max_records): too few replicas are heard that know a table in full. New writes are refused until then:"
                + " see whether this node is cut off, or a table's baseline is to be confirmed (state in"
                + " meteorshower.tables).";
    }

    /** Retires the record if it may go; returns whether it went. */
    boolean retire(MutationRecord record, PartitionState state) {
        if (record.local == MutationRecord.Local.APPLYING) {
            return false;
        }
        long visibleFrom = visibleFromIfDone(record, state);
        if (visibleFrom == MutationRecord.NEVER
                || !record.isAcknowledgedByAll(self, notAwaited)
                || CutChooser.newestCovered(record.group(), knowledge.of(record.group(), record.key.table()))
                        < visibleFrom) {
            return false;
        }
        boolean journaled = record.local == MutationRecord.Local.APPLIED;
        // Whoever was left behind lacks it: told that it is done with, others would forget it, and that one skip it.
        boolean everywhere = noneIsLeftBehind(record.group());
        statusMap.retire(record, visibleFrom, everywhere ? Long.valueOf(turn.clock.value()) : null);
        if (journaled) {
            turn.emit(new Effect.JournalRetired(record.key, record.id));
        }
        return true;
    }

    private boolean noneIsLeftBehind(ReplicaGroup group) {
        return leftBehind.isEmpty() || group.members().stream().noneMatch(leftBehind::contains);
    }

    /** From which cut on all can do without the record, or {@link MutationRecord#NEVER} while somebody cannot. */
    private long visibleFromIfDone(MutationRecord record, PartitionState state) {
        if (record.isAppliedEverywhere(notAwaited) && record.visibleFromMicros() != MutationRecord.NEVER) {
            return record.local == MutationRecord.Local.ABSENT ? record.everywhereByMicros : record.visibleFromMicros();
        }
        return record.dominatedByRetired ? state.floorMicros : MutationRecord.NEVER;
    }

    /** Over the limit: the peer that the most records wait for is left behind, a silent one first. */
    void enforceLimit(MessageReceiver receiver) {
        if (startedNanos == NOT_STARTED) {
            startedNanos = turn.nanos();
        }
        if (statusMap.size() <= settings.now().maxRecords() || statusMap.size() <= limit(receiver)) {
            full = false;
            return;
        }
        if (lookedNanos != NOT_STARTED && turn.nanos() - lookedNanos < LOOK_EVERY_NANOS && !helped) {
            return; // looking at all records takes its time, and did not help just now
        }
        lookedNanos = turn.nanos();
        int undecided = 0;
        int older = 0;
        boolean anyOld = false;
        Map<NodeId, Integer> waitedFor = new HashMap<>();
        Map<NodeId, Integer> waitedForLong = new HashMap<>();
        for (MutationRecord record : statusMap.all()) {
            if (record.timestampMicros() < repairBeganMicros) {
                older++;
            }
            if (record.visibleFromMicros() == MutationRecord.NEVER) {
                undecided++;
                continue; // leaving those behind who lack it helps nothing: fewer than w have it
            }
            boolean old = (turn.nanos() - Math.max(record.createdNanos, startedNanos)) / 1_000
                    > PATIENCE * settings.now().streamTimeoutMicros();
            anyOld |= old;
            for (int i = 0; i < record.group().size(); i++) {
                NodeId member = record.group().members().get(i);
                boolean complete = record.isAppliedAt(i) && record.isAcknowledgedBy(i);
                if (!complete && !member.equals(self) && !notAwaited.contains(member)) {
                    waitedFor.merge(member, 1, Integer::sum);
                    if (old) {
                        waitedForLong.merge(member, 1, Integer::sum);
                    }
                }
            }
        }
        if (statusMap.size() <= limit(receiver) + roomFor(older)) {
            full = false;
            helped = false;
            return;
        }
        NodeId worst = worst(waitedFor, receiver, true);
        if (worst == null) {
            // One that is heard may be catching up: it is given time, else a repaired peer would be left behind at
            // once.
            worst = worst(waitedForLong, receiver, false);
        }
        // Where leaving somebody behind does not help, writes must stop: those of a node that is cut off, which nobody
        // else has; and those that all have, while nothing covers a cut, as before a table's baseline is confirmed.
        full = undecided >= settings.now().maxRecords() || (waitedFor.isEmpty() && anyOld);
        helped = worst != null && !full;
        if (worst != null && !full) {
            notAwaited.add(worst);
            if (leftBehind.add(worst)) {
                turn.emit(new Effect.JournalStale(worst, true));
            }
            turn.alarm(
                    Effect.AlarmKind.PEER_STALE,
                    "peer " + worst + ": " + waitedFor.get(worst)
                            + " records wait for it, over the limit of "
                            + settings.now().maxRecords()
                            + " (max_records): it is left behind until it has been repaired");
        }
    }

    private @Nullable NodeId worst(Map<NodeId, Integer> waitedFor, MessageReceiver receiver, boolean silentOnly) {
        NodeId worst = null;
        for (Map.Entry<NodeId, Integer> entry : waitedFor.entrySet()) {
            // A node that has just started has not heard anybody yet.
            long upMicros = (turn.nanos() - startedNanos) / 1_000;
            boolean silent = Math.min(upMicros, receiver.silentForMicros(entry.getKey()))
                    > settings.now().streamTimeoutMicros();
            // One whose repair takes too long gives way, too: it is repaired anew, from the first step on.
            boolean first = silent || leftBehind.contains(entry.getKey());
            if ((first || !silentOnly) && (worst == null || entry.getValue() > waitedFor.getOrDefault(worst, 0))) {
                worst = entry.getKey();
            }
        }
        return worst;
    }
}
