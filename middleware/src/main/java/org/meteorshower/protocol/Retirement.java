/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forgets mutations that no decision needs any more, and bounds what is kept.
 *
 * <p>A record goes when all replicas are known to have applied the mutation (or a retired one overwrote all its cells),
 * every peer has acknowledged this node's own announcement, and this node covers a cut at which it is visible; from
 * then on reads here use no older cut. Over the limit, the peer that keeps the most records is left behind: it is
 * waited for no longer, and takes part again only after a full repair.
 */
final class Retirement {
    private static final long NOT_STARTED = Long.MIN_VALUE;
    private static final long LOOK_EVERY_NANOS = 1_000_000_000L;

    /** In stream time-outs: how long a peer that is heard may lack a mutation before it can be left behind for it. */
    private static final int PATIENCE = 10;

    private static final int FILLING_UP_PART = 2;

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Knowledge knowledge;
    private final LeftBehind leftBehind;
    private final TableStates tables;
    private final Pins pins;
    private final RetiredNews news;
    private final Completeness completeness;

    private final RecordLimits limits;

    private long startedNanos = NOT_STARTED;
    private long lookedNanos = NOT_STARTED;
    private long madeRoomNanos;
    private boolean full;

    /** Whether the last look found somebody to leave behind. */
    private boolean helped;

    Retirement(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            Knowledge knowledge,
            LeftBehind leftBehind,
            TableStates tables,
            Pins pins,
            RetiredNews news,
            Completeness completeness) {
        this.completeness = completeness;
        this.news = news;
        this.pins = pins;
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.knowledge = knowledge;
        this.leftBehind = leftBehind;
        this.tables = tables;
        this.limits = new RecordLimits(settings, turn);
    }

    /**
     * The first step of a repair by hand: from now on nothing is retired without the peer. It gets no stream for that.
     */
    void repairing(NodeId peer) {
        awaitAgain(peer);
        leftBehind.announce(peer);
    }

    private void awaitAgain(NodeId peer) {
        if (leftBehind.await(peer)) {
            limits.repairBegins(statusMap.load());
        }
    }

    /** One that was being repaired and is no peer any more will not be back. */
    private boolean isRepairing(MessageReceiver receiver) {
        return receiver.peers().stream().anyMatch(leftBehind.awaitedAgain()::contains);
    }

    /** The second step: all that was retired without the peer it has by now, and all else its new stream brings. */
    boolean admit(NodeId peer) {
        if (!leftBehind.contains(peer)) {
            return false;
        }
        if (!leftBehind.beingRepaired().contains(peer)) {
            turn.alarm(
                    Effect.AlarmKind.PROTOCOL,
                    "the repair of peer " + peer + " was not announced here, so it may lack what was retired"
                            + " meanwhile: announce the repair first, then repair it, then say that it is repaired");
            return false;
        }
        takeBack(peer);
        return true;
    }

    private void takeBack(NodeId peer) {
        leftBehind.remove(peer);
        limits.roomEndsAfter(1_000 * PATIENCE * settings.now().streamTimeoutMicros());
        turn.emit(new Effect.JournalStale(peer, false));
    }

    /**
     * The peer comes back by itself. Asked to, this node waits for it from now on; told that it has been filled since
     * it was waited for, this node takes it back. Where it was given up in between, it must begin anew.
     */
    Message returning(NodeId peer, Message.Returning message) {
        long incarnation = message.incarnation();
        if (message.filledMicros() == 0) {
            awaitAgain(peer);
        } else if (!leftBehind.hasPromised(peer, incarnation, message.filledMicros())) {
            return new Message.Stale(turn.tick(), incarnation);
        } else if (leftBehind.contains(peer)) {
            takeBack(peer);
        }
        long awaitedMicros = leftBehind.promise(peer, incarnation, turn.tick());
        return new Message.Awaited(
                turn.tick(), incarnation, message.number(), awaitedMicros, !leftBehind.contains(peer));
    }

    /**
     * Whether records are over their limit and no peer can be left behind for it, or over twice that: no write may
     * begin.
     */
    boolean isFull() {
        return full || statusMap.kept().total() >= limits.mostBytes();
    }

    /** Whether records take so much that none may be added that no other node has announced. */
    boolean isOverflowing() {
        long most = limits.mostBytes();
        return statusMap.kept().total() >= most + most / 4;
    }

    /** Whether what can wait is to wait, so that there is room for what cannot. */
    boolean isFillingUp() {
        return statusMap.load().reaches(limits.usual().part(FILLING_UP_PART));
    }

    /**
     * Whether what rows hold may be kept before more is written into them: else their reads wait for what is in flight.
     */
    boolean hasRoomForHistory() {
        return statusMap.kept().total() <= RecordLimits.crowdedBytes(settings);
    }

    long limitBytes(MessageReceiver receiver) {
        return limits.mostBytesNow(isRepairing(receiver));
    }

    String whyFull() {
        Load kept = statusMap.load();
        return kept.records() + " mutations are kept here, " + kept.bytes() + " bytes, at the limit of "
                + settings.now().maxRecords() + " (max_records) or "
                + settings.now().recordsBytes() + " bytes (memory.records)"
                + ": too few replicas are heard that know a table in full. New writes are refused until then:"
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
                || !record.isAcknowledgedByAll(self, leftBehind.notAwaited())
                || (record.group().strictAtHome() && !completeness.isComplete(record))
                || !pins.mayForget(record.key, visibleFrom)
                || !knowledge.mayForget(record, visibleFrom)) {
            return false;
        }
        boolean journaled = record.local == MutationRecord.Local.APPLIED;
        // Whoever was left behind lacks it: told that it is done with, others would forget it, and that one skip it.
        boolean everywhere = noneIsLeftBehind(record.group());
        statusMap.retire(record, visibleFrom, everywhere ? Long.valueOf(turn.clock.value()) : null);
        if (!everywhere) {
            noteMissed(record);
        } else if (turn.isLate(record.timestampMicros())) {
            tellAll(record);
        }
        if (journaled) {
            turn.emit(new Effect.JournalRetired(record.key, record.id));
        }
        return true;
    }

    /**
     * What is late may be news for somebody who had it before, and does not know it any more. Whoever retires it first
     * tells all others, else it goes in circles: each stamps it anew, completes it for one, and is news for another.
     */
    private void tellAll(MutationRecord record) {
        for (NodeId member : record.group().members()) {
            if (!member.equals(self)) {
                news.add(member, record.key, record.id);
            }
        }
    }

    private void noteMissed(MutationRecord record) {
        int bucket = statusMap.bucketOf(record.key);
        for (NodeId member : record.group().members()) {
            if (leftBehind.notAwaited().contains(member)) {
                leftBehind.missed.add(member, record.key.table(), bucket);
            }
        }
    }

    private boolean noneIsLeftBehind(ReplicaGroup group) {
        return leftBehind.isNone() || group.members().stream().noneMatch(leftBehind::contains);
    }

    /** From which cut on all can do without the record, or {@link MutationRecord#NEVER} while somebody cannot. */
    private long visibleFromIfDone(MutationRecord record, PartitionState state) {
        if (record.isAppliedEverywhere(leftBehind.notAwaited()) && record.visibleFromMicros() != MutationRecord.NEVER) {
            return record.local == MutationRecord.Local.ABSENT ? record.everywhereByMicros : record.visibleFromMicros();
        }
        return record.dominatedByRetired ? state.floorMicros : MutationRecord.NEVER;
    }

    /** Over a limit: the peer that keeps the most here is left behind, a silent one first. */
    void enforceLimit(MessageReceiver receiver) {
        if (startedNanos == NOT_STARTED) {
            startedNanos = turn.nanos();
        }
        Load kept = statusMap.load();
        if (!kept.exceeds(limits.usual()) || !kept.exceeds(limits.now(isRepairing(receiver)))) {
            full = false;
            return;
        }
        if (lookedNanos != NOT_STARTED && turn.nanos() - lookedNanos < LOOK_EVERY_NANOS && !helped) {
            return; // looking at all records takes its time, and did not help just now
        }
        lookedNanos = turn.nanos();
        Owed owed = owed();
        if (!kept.exceeds(limits.now(isRepairing(receiver)).plus(limits.roomFor(owed.older)))) {
            full = false;
            helped = false;
            return;
        }
        NodeId worst = worst(owed.to, receiver, true);
        if (worst == null) {
            // One that is heard may be catching up: it is given time, else a repaired peer would be left behind at
            // once.
            worst = worst(owed.toForLong, receiver, false);
        }
        if (worst == null && limits.leavesNoTime(kept.minus(owed.undecided), isRepairing(receiver))) {
            worst = worst(owed.to, receiver, false);
        }
        // Where leaving somebody behind does not help, writes must stop: those of a node that is cut off, which nobody
        // else has; and those that all have, while nothing covers a cut, as before a table's baseline is confirmed.
        full = owed.undecided.reaches(limits.usual()) || (owed.to.isEmpty() && owed.anyOld);
        boolean helps = !full || kept.minus(owed.undecided).exceeds(limits.usual());
        helped = worst != null && helps;
        if (worst != null && helps) {
            String why = "all have come to the limit of " + settings.now().maxRecords() + " records (max_records) or "
                    + settings.now().recordsBytes() + " bytes (memory.records)";
            leaveBehind(worst, owed.to.getOrDefault(worst, Load.NONE), why);
        }
    }

    /**
     * The journal is about to be full: a silent peer is left behind for it, and no write refused. At most one a second.
     */
    void makeRoom(MessageReceiver receiver) {
        if (startedNanos == NOT_STARTED || turn.nanos() - madeRoomNanos < LOOK_EVERY_NANOS) {
            return;
        }
        madeRoomNanos = turn.nanos();
        Map<NodeId, Load> waiting = owed().to;
        NodeId worst = worst(waiting, receiver, true);
        if (worst != null) {
            leaveBehind(worst, waiting.getOrDefault(worst, Load.NONE), "the journal is nearly full (journal.max_mb)");
        }
    }

    private void leaveBehind(NodeId peer, Load waiting, String why) {
        if (!leftBehind.contains(peer)) {
            leftBehind.missed.begin(peer, tables.ids());
        }
        if (leftBehind.add(peer)) {
            turn.emit(new Effect.JournalStale(peer, true));
        }
        turn.alarm(
                Effect.AlarmKind.PEER_STALE,
                "peer " + peer + ": " + waiting.records() + " records of " + waiting.bytes()
                        + " bytes wait for it, and " + why
                        + ": it is left behind until it holds what it will have missed");
    }

    /** What records wait for. */
    private static final class Owed {
        /** Fewer than w have it. */
        Load undecided = Load.NONE;

        Load older = Load.NONE;
        boolean anyOld;
        final Map<NodeId, Load> to = new HashMap<>();
        final Map<NodeId, Load> toForLong = new HashMap<>();
    }

    long undecidedBytes() {
        return owed().undecided.bytes();
    }

    private Owed owed() {
        Owed owed = new Owed();
        for (MutationRecord record : statusMap.all()) {
            if (limits.isOlderThanRepair(record)) {
                owed.older = owed.older.plus(record);
            }
            if (record.visibleFromMicros() == MutationRecord.NEVER) {
                owed.undecided = owed.undecided.plus(record);
                continue; // leaving those behind who lack it helps nothing: fewer than w have it
            }
            boolean old = (turn.nanos() - Math.max(record.createdNanos, startedNanos)) / 1_000
                    > PATIENCE * settings.now().streamTimeoutMicros();
            owed.anyOld |= old;
            Load one = new Load(1, record.heldBytes());
            for (int i = 0; i < record.group().size(); i++) {
                NodeId member = record.group().members().get(i);
                boolean complete = record.isAppliedAt(i) && record.isAcknowledgedBy(i);
                if (!complete
                        && !member.equals(self)
                        && !leftBehind.notAwaited().contains(member)) {
                    owed.to.merge(member, one, Load::plus);
                    if (old) {
                        owed.toForLong.merge(member, one, Load::plus);
                    }
                }
            }
        }
        return owed;
    }

    private @Nullable NodeId worst(Map<NodeId, Load> waitedFor, MessageReceiver receiver, boolean silentOnly) {
        NodeId worst = null;
        Load most = Load.NONE;
        for (Map.Entry<NodeId, Load> entry : waitedFor.entrySet()) {
            // A node that has just started has not heard anybody yet.
            long upMicros = (turn.nanos() - startedNanos) / 1_000;
            boolean silent = Math.min(upMicros, receiver.silentForMicros(entry.getKey()))
                    > settings.now().streamTimeoutMicros();
            // One whose repair takes too long gives way, too: it is repaired anew, from the first step on.
            boolean first = silent || leftBehind.contains(entry.getKey());
            if ((first || !silentOnly) && (worst == null || entry.getValue().bytes() > most.bytes())) {
                worst = entry.getKey();
                most = entry.getValue();
            }
        }
        return worst;
    }
}
