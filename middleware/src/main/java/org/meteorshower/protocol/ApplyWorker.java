/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stamps mutations on their way into the store: fixes {@code applied}, keeps the rows' earlier content, has the stamp
 * journaled and announced. The intent is announced before the apply, so no reader elsewhere can learn of a mutation's
 * effect before its stamp.
 */
final class ApplyWorker {
    /**
     * A mutation that is stamped without history cannot be kept apart, nor can those of its rows that come while it is
     * in flight: where a row is written all the time that does not end. So rather one more reading of the row.
     */
    static final int HISTORY_ATTEMPTS = 8;

    private static final String NO_ROOM_YET = "mutations in flight take half of what they may (memory.records,"
            + " max_records), and this one, which no client waits for, is to come again";

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Delays delays;
    private final StatusMessageDispatcher dispatcher;
    private final WriteWorker writes;
    private final Sweep sweep;
    private final Retirement retirement;
    private final HeldWrites held;

    ApplyWorker(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            TableStates tables,
            Delays delays,
            StatusMessageDispatcher dispatcher,
            WriteWorker writes,
            Sweep sweep,
            Retirement retirement,
            HeldWrites held) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.delays = delays;
        this.dispatcher = dispatcher;
        this.writes = writes;
        this.sweep = sweep;
        this.retirement = retirement;
        this.held = held;
    }

    void intended(Event.Intended event) {
        Update update = event.update();
        MutationRecord known = statusMap.find(update.key(), update.id());
        if (!tables.isEnabled(update.key().table())
                || statusMap.retiredBy(update.key(), update.id()) != null
                || (known != null && known.local == MutationRecord.Local.APPLIED)) {
            turn.emit(new Effect.AlreadyApplied());
        } else if (known != null && known.local == MutationRecord.Local.APPLYING) {
            // Stamped before, and not known to have reached the store: the first stamp counts.
            turn.emit(new Effect.Stamped(known.appliedAt(known.group().indexOf(self))));
        } else if (turn.tooFarAhead(update.id().timestampMicros())) {
            long ahead = update.id().timestampMicros() - turn.wallMicros();
            turn.alarm(
                    Effect.AlarmKind.CLOCK_AHEAD,
                    "a mutation's timestamp is " + ahead / 1_000 + " ms ahead of this node's clock");
            turn.emit(new Effect.RefuseMutation(ahead));
        } else if (!statusMap.groupOf(update.key()).contains(self)) {
            // Its partition is moving here. It will be in the baseline of the next epoch, which is read above its
            // timestamp.
            turn.clock.noted(update.id().timestampMicros());
            turn.emit(new Effect.AlreadyApplied());
        } else if (known == null && retirement.isOverflowing()) {
            // One that others have announced is taken: they wait for it, and so may this node, to let it go.
            turn.emit(new Effect.NoRoom(retirement.whyFull()));
        } else if (known == null && canWait(update) && retirement.isFillingUp()) {
            turn.emit(new Effect.NoRoom(NO_ROOM_YET));
        } else {
            stamp(event, statusMap.stateOrNew(update.key()));
        }
    }

    /**
     * Whether no client waits for it: a hint brings it, or a batch's replay, or a peer that this node does not hear.
     * Those come again where they are refused, and in any number: after an outage many times what fits.
     */
    private boolean canWait(Update update) {
        return turn.isLate(update.id().timestampMicros());
    }

    /** Whether the update, if it were offered now, would be stamped and journaled. Changes nothing. */
    boolean wouldStamp(Update update) {
        MutationRecord known = statusMap.find(update.key(), update.id());
        return tables.isEnabled(update.key().table())
                && statusMap.retiredBy(update.key(), update.id()) == null
                && (known == null || known.local == MutationRecord.Local.ABSENT)
                && statusMap.groupOf(update.key()).contains(self);
    }

    private void stamp(Event.Intended event, PartitionState state) {
        Update update = event.update();
        boolean covered = false;
        // A mutation that comes before the baseline is known may be in others' baselines, which show it at every cut.
        if (settings.now().history()
                && retirement.hasRoomForHistory()
                && !tables.moves.isHeld(update.key().table())
                && !storeShowsUncovered(state, update)) {
            History history = state.history();
            if (history != null && history.covers(update)) {
                covered = true;
            } else {
                boolean fresh = event.history() != null && event.asOfVersion() == statusMap.versionOf(update.key());
                if (!fresh && event.attempt() < HISTORY_ATTEMPTS) {
                    turn.emit(new Effect.NeedHistory(statusMap.versionOf(update.key())));
                    return;
                }
                covered = fresh && keepHistory(state, update, event.history());
            }
        }
        long appliedMicros = stampFor(update.id().timestampMicros());
        MutationRecord record = statusMap.record(Announcement.of(update, appliedMicros), turn.nanos());
        if (record == null) {
            throw new IllegalStateException("no replica of " + update.key());
        }
        state.content(record, update);
        record.coveredByHistory = covered;
        record.local = MutationRecord.Local.APPLYING;
        record.applied(record.group().indexOf(self), appliedMicros);
        statusMap.changed(update.key());
        turn.emit(new Effect.JournalApplied(update, appliedMicros));
        turn.emit(new Effect.Stamped(appliedMicros));
        dispatcher.announce(record);
        sweep.add(record);
    }

    /**
     * Whether a mutation of the same rows is in the store that the history does not keep apart: then none can be taken.
     */
    private static boolean storeShowsUncovered(PartitionState state, Update update) {
        for (MutationRecord other : state.latestFirst()) {
            boolean inStore = other.local != MutationRecord.Local.ABSENT || other.maybeInStore;
            if (inStore && !other.isSunk() && !other.coveredByHistory && other.touches(update.row())) {
                return true;
            }
        }
        return false;
    }

    private static boolean keepHistory(PartitionState state, Update update, @Nullable History read) {
        if (read == null || !read.covers(update)) {
            return false;
        }
        History kept = state.history();
        state.history(kept == null ? read : kept.extendedBy(read));
        return true;
    }

    /**
     * {@code applied}: above everything this node has promised, and not below the mutation's timestamp.
     *
     * <p>§3, clock rule 3 raises the clock to the timestamp. Here the stamp alone is raised as far as a lead can
     * explain, and the clock only by what is left: else every replica nearer than the w-th would run ahead of the
     * physical clocks (docs/decisions/clocks-and-stamps.md, "A mutation does not drag the clock along").
     */
    private long stampFor(long timestampMicros) {
        turn.clock.raise(
                timestampMicros - delays.longestMicros() - settings.now().clockErrorMicros());
        return turn.clock.noted(Math.max(turn.tick(), timestampMicros));
    }

    void applied(Event.Applied event) {
        MutationRecord record = statusMap.find(event.key(), event.id());
        if (record != null) {
            record.local = MutationRecord.Local.APPLIED;
            statusMap.changed(event.key());
            shedWhereThereIsNoRoom(record);
        }
    }

    /** At once: what others announce is taken over any limit, and many may come before the next round. */
    private void shedWhereThereIsNoRoom(MutationRecord record) {
        PartitionState partition = record.partition;
        if (partition != null && statusMap.kept().total() > RecordLimits.crowdedBytes(settings)) {
            partition.shed();
        }
    }

    void failed(Event.ApplyFailed event) {
        MutationRecord record = statusMap.find(event.key(), event.id());
        if (record != null && record.local == MutationRecord.Local.APPLYING) {
            sweep.reapplySoon(record);
        }
    }

    void acknowledging(Event.Acknowledging event, MessageReceiver receiver) {
        if (tables.moves.isHeld(event.key().table())) {
            held.owe(new Event.Acknowledging(event.coordinator(), event.key(), event.id()));
            turn.giveBack(event.coordinator(), event.receipt());
            return;
        }
        MutationRecord record = statusMap.find(event.key(), event.id());
        int me = record == null ? -1 : record.group().indexOf(self);
        // What is done with was applied everywhere, or overwritten by something that was: by then, as good as applied.
        Long appliedMicros = record != null && record.isAppliedAt(me)
                ? Long.valueOf(record.appliedAt(me))
                : statusMap.retiredBy(event.key(), event.id());
        if (appliedMicros == null) {
            turn.giveBack(event.coordinator(), event.receipt());
            return;
        }
        NodeId coordinator = self.equals(event.coordinator()) ? null : event.coordinator();
        if (coordinator == null || writes.isAnyCarried()) {
            writes.appliedHere(coordinator, event.key(), event.id(), appliedMicros, record);
        }
        if (coordinator != null) {
            acknowledge(coordinator, event, record, appliedMicros, receiver);
        } else {
            turn.giveBack(event.coordinator(), event.receipt());
        }
    }

    private void acknowledge(
            NodeId coordinator,
            Event.Acknowledging event,
            @Nullable MutationRecord record,
            long appliedMicros,
            MessageReceiver receiver) {
        ReplicaGroup group = record == null ? statusMap.groupOf(event.key()) : record.group();
        if (group.strictAtHome() && !group.contains(coordinator)) {
            // Some replica began it, and the coordinator waits for that one's word.
            turn.giveBack(event.coordinator(), event.receipt());
            group.members().stream()
                    .filter(member -> !member.equals(self))
                    .forEach(member -> dispatcher.flush(member, receiver));
            return;
        }
        // The status first: when the session has its answer, its next read has the coverage that it needs. It announces
        // the mutation, or one before it did: to a replica that says all that an acknowledgement says. But not to one
        // by whose ring it is none: it does not get the mutation, and knows its timestamp alone.
        if (record == null
                || !record.group().contains(coordinator)
                || tables.moves.isOnTheMove(event.key().table())) {
            turn.giveBack(event.coordinator(), event.receipt());
            dispatcher.flush(coordinator, receiver);
        } else if (dispatcher.acknowledge(coordinator, record, event.receipt(), receiver)) {
            record.toldCoordinator = coordinator;
            return;
        }
        acknowledge(coordinator, event.key(), event.id(), appliedMicros);
    }

    private void acknowledge(NodeId coordinator, PartitionKey key, MutationId id, long appliedMicros) {
        long cutMicros = Math.max(appliedMicros, tables.moves.acknowledgedFromMicros(key.table()));
        turn.send(coordinator, new Message.WriteAck(turn.tick(), key, id.timestampMicros(), cutMicros));
    }

    /**
     * This node goes over to the table's next name. A coordinator that shares the partition by the earlier name, and
     * not by the next one, may have sent a write by the ring to come already: then it holds nothing of the partition.
     */
    void moved(UUID from, UUID to) {
        for (MutationRecord record : statusMap.all()) {
            NodeId coordinator = record.toldCoordinator;
            if (coordinator != null
                    && record.key.table().equals(from)
                    && turn.nanos() - record.createdNanos < TableMoves.LATELY_NANOS
                    && !statusMap
                            .groupOf(new PartitionKey(to, record.key.bytes()))
                            .contains(coordinator)) {
                acknowledge(
                        coordinator,
                        record.key,
                        record.id,
                        record.appliedAt(record.group().indexOf(self)));
            }
        }
    }
}
