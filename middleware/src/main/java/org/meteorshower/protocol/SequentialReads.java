/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The protocol core of one node: a deterministic state machine that is told events and answers with effects. It has no
 * I/O, no threads, no clock and no randomness, and runs unchanged in Cassandra and in the simulator.
 *
 * <p>Used by one thread at a time. The parts carry the names of the paper (Liu, Guan, Vlassov, Haridi: MeteorShower,
 * ICDCS 2017): {@link StatusMessageDispatcher}, {@link MessageReceiver}, {@link StatusMap},
 * {@link ReadSubscriptionMap}, {@link ReadWorker}, {@link WriteWorker}. This class only routes events to them.
 */
public final class SequentialReads {
    private final Parts parts;
    private final CoreView view;
    private final Events events = new Events();
    private final Messages messages;
    private long sweptNanos;
    private boolean started;

    /** @param firstSettings in force until {@link Event.SettingsChanged} */
    public SequentialReads(NodeId self, Settings firstSettings, Placement placement, Recovery recovery) {
        parts = new Parts(self, firstSettings, placement, recovery);
        view = new CoreView(parts);
        messages = new Messages(parts);
        recovery.tables().forEach(t -> parts.tables.recover(t));
        recovery.updates().forEach(this::recover);
    }

    /** What it knows, to be looked at between two steps, by the thread that takes them. Live: it is always of now. */
    public CoreView view() {
        return view;
    }

    /**
     * A mutation of an earlier life: stamped then, and to be offered to the store again, which may never have got it.
     */
    private void recover(Recovery.StampedUpdate stamped) {
        Update update = stamped.update();
        MutationRecord record = parts.statusMap.record(Announcement.of(update, stamped.appliedMicros()), 0);
        if (record == null) {
            return; // the partition has moved away
        }
        record.recovered = true; // its content stays in the journal
        record.local = MutationRecord.Local.APPLYING;
        record.applied(record.group().indexOf(parts.self), stamped.appliedMicros());
        parts.sweep.add(record);
        parts.sweep.reapplySoon(record);
    }

    /** Takes one step. The effects are to be carried out in order, and before those of the next step. */
    public List<Effect> step(Event event, Now now) {
        parts.turn.begin(now);
        if (!started) {
            started = true;
            parts.turn.tick(); // above F from the first step on, and with it a ceiling of this life
        }
        event.handOver(events);
        parts.news.tell();
        boolean advanced = parts.receiver.advancedSinceAsked();
        parts.reads.wake(advanced);
        if (advanced) {
            parts.writes.wake();
        }
        parts.restingCuts.tell(!event.isOfClient());
        return parts.turn.end();
    }

    /** Brings each kind of event to the parts that it concerns. */
    private final class Events implements Event.Handler {
        @Override
        public void on(Event.Tick tick) {
            tick();
        }

        @Override
        public void on(Event.Received received) {
            received(received.from(), received.message());
        }

        // --- clients -------------------------------------------------------------------------------------------

        @Override
        public void on(Event.Intended intended) {
            parts.attention.needed();
            parts.applies.intended(intended);
            parts.reads.touched(intended.update().key());
        }

        @Override
        public void on(Event.Applied applied) {
            parts.applies.applied(applied);
            parts.reads.touched(applied.key());
        }

        @Override
        public void on(Event.ApplyFailed failed) {
            parts.applies.failed(failed);
        }

        @Override
        public void on(Event.Acknowledging acknowledging) {
            parts.applies.acknowledging(acknowledging, parts.receiver);
        }

        @Override
        public void on(Event.Observed observed) {
            parts.turn.observed(observed.cutMicros());
        }

        @Override
        public void on(Event.TimestampTaken taken) {
            parts.writes.taken(taken.timestampMicros());
        }

        @Override
        public void on(Event.ReadStarted started) {
            parts.attention.needed();
            parts.reads.started(started);
        }

        @Override
        public void on(Event.StoreRead read) {
            parts.reads.storeRead(read.readId());
        }

        @Override
        public void on(Event.ReadAbandoned abandoned) {
            parts.reads.abandoned(abandoned.readId());
            parts.scans.ended(abandoned.readId());
        }

        @Override
        public void on(Event.ScanStarted started) {
            parts.attention.needed();
            parts.scans.started(started);
        }

        @Override
        public void on(Event.ScanLowered lowered) {
            parts.scans.lowered(lowered);
        }

        @Override
        public void on(Event.ScanRaised raised) {
            parts.attention.needed();
            parts.scans.raised(raised);
        }

        @Override
        public void on(Event.ScanRead read) {
            parts.scans.storeRead(read.readId());
        }

        @Override
        public void on(Event.PinnedReadStarted started) {
            parts.attention.needed();
            parts.reads.started(started);
        }

        @Override
        public void on(Event.WriteStarted write) {
            parts.attention.needed();
            Event.WriteStarted started = parts.tables.moves.presentlyNamed(write);
            if (parts.retirement.isFull()) {
                refuse(started, Effect.Failure.OVERLOADED, parts.retirement.whyFull());
            } else if (started.keys().stream().anyMatch(key -> !parts.tables.isEnabled(key.table()))) {
                refuse(started, Effect.Failure.NOT_READY, Readiness.NOT_ENABLED);
            } else if (!parts.held.holds(started) && !parts.writes.started(started)) {
                parts.held.keep(started);
            }
        }

        private void refuse(Event.WriteStarted write, Effect.Failure failure, String why) {
            parts.turn.emit(new Effect.WriteRefused(write.writeId(), failure, why));
        }

        @Override
        public void on(Event.WriteAbandoned abandoned) {
            parts.held.abandoned(abandoned.writeId());
            parts.writes.abandoned(abandoned.writeId());
        }

        // --- the node ------------------------------------------------------------------------------------------

        @Override
        public void on(Event.SettingsChanged changed) {
            parts.settings.change(changed.settings());
        }

        @Override
        public void on(Event.PeersChanged changed) {
            Set<NodeId> peers = new LinkedHashSet<>(changed.peers());
            peers.remove(parts.self);
            for (MutationRecord record : parts.statusMap.regroup()) {
                dropped(record);
                parts.pins.loseAll(record.key.table(), Readiness.MOVED);
            }
            parts.receiver.retain(peers);
            parts.dispatcher.retain(peers);
        }

        @Override
        public void on(Event.TableEnabled enabled) {
            parts.tables.enable(enabled.table(), enabled.empty());
        }

        @Override
        public void on(Event.TableFilled filled) {
            parts.tables.filled(filled.table(), filled.live());
        }

        @Override
        public void on(Event.TableRepaired repaired) {
            parts.tables.repaired(repaired.table());
        }

        @Override
        public void on(Event.TableMoved moved) {
            parts.moved(moved.table(), moved.from(), moved.live());
        }

        @Override
        public void on(Event.TableFollowed followed) {
            parts.tables.moves.followed(followed.table());
        }

        @Override
        public void on(Event.TableOpened opened) {
            parts.tables.moves.opened(opened.table());
            releaseHeld();
        }

        @Override
        public void on(Event.TableLeft left) {
            parts.tables.left(left.table());
            parts.carryOver.forget(left.table());
            parts.statusMap.contentUnknown(left.table());
            parts.failReads(left.table(), Readiness.MOVED);
        }

        @Override
        public void on(Event.BaselineConfirmed confirmed) {
            parts.baselines.confirmed(confirmed.table());
        }

        @Override
        public void on(Event.TableDisabled disabled) {
            disable(disabled.table());
        }

        @Override
        public void on(Event.TableEnded ended) {
            disable(ended.table());
            parts.tables.end(ended.table(), ended.groups(), ended.everybody());
        }

        @Override
        public void on(Event.PeerRepairing repairing) {
            parts.retirement.repairing(repairing.peer());
        }

        @Override
        public void on(Event.ComeBack comeBack) {
            parts.rejoining.comeBack();
        }

        @Override
        public void on(Event.Filled filled) {
            parts.rejoining.filled(filled);
        }

        @Override
        public void on(Event.JournalNearlyFull nearlyFull) {
            parts.retirement.makeRoom(parts.receiver);
        }

        @Override
        public void on(Event.PeerRepaired repaired) {
            if (parts.retirement.admit(repaired.peer())) {
                parts.dispatcher.drop(repaired.peer());
            }
        }

        @Override
        public void on(Event.ForeignDataComing coming) {
            parts.tables.foreignDataComing(coming.table());
            parts.statusMap.contentUnknown(coming.table());
        }

        @Override
        public void on(Event.ForeignData foreign) {
            parts.tables.foreignData(foreign.table());
            parts.statusMap.contentUnknown(foreign.table());
        }
    }

    private void releaseHeld() {
        parts.writes.released();
        if (!parts.held.isNone()) {
            parts.held.takeWrites().forEach(events::on);
            parts.held.takeOwed().forEach(events::on);
        }
    }

    /**
     * From here on mutations of the table come into the store unannounced. So the peers must not take this node's
     * silence for "not applied", and no read that is under way may be answered from the store.
     */
    private void disable(UUID table) {
        if (parts.tables.disable(table)) {
            parts.dispatcher.endAll();
            parts.reads.failAll(table, "the table was disabled meanwhile");
        }
        parts.scans.failAll(table, "the table was disabled meanwhile");
        parts.writes.failAll(table);
        parts.baselines.forget(table);
        parts.carryOver.forget(table);
        parts.leftBehind.missed.forget(table);
        parts.statusMap.dropTable(table).forEach(this::dropped);
    }

    /** Nobody here asks for this mutation any more, so the journal need not keep it. */
    private void dropped(MutationRecord record) {
        if (record.local != MutationRecord.Local.ABSENT) {
            parts.turn.emit(new Effect.JournalRetired(record.key, record.id));
        }
    }

    private void received(NodeId from, Message message) {
        if (parts.turn.tooFarAhead(message.hlcMicros())) {
            parts.turn.alarm(
                    Effect.AlarmKind.CLOCK_AHEAD,
                    "a message of " + from + " is " + (message.hlcMicros() - parts.turn.wallMicros()) / 1_000
                            + " ms ahead of this node's clock and was refused: check both clocks");
            return;
        }
        parts.turn.clock.raise(message.hlcMicros());
        parts.receiver.heardFrom(from);
        message.handOver(messages, from);
    }

    private void tick() {
        parts.receiver.mend();
        parts.rejoining.tick();
        if (parts.statusMap.size() > 0) {
            parts.attention.needed();
        }
        parts.dispatcher.dispatchDue(parts.receiver, parts.isQuiet());
        parts.tables.reportDue(parts.receiver.peers());
        parts.sweep.reapply(parts.turn);
        if (parts.turn.nanos() - sweptNanos >= 1_000 * parts.settings.now().dispatchIntervalMicros()) {
            sweptNanos = parts.turn.nanos();
            parts.pins.round(parts.statusMap.load());
            parts.settler.newRound();
            parts.sweep.round(this::visit);
            parts.renewLeases();
            parts.retirement.enforceLimit(parts.receiver);
            // Whatever was announced and not stamped here may have come with the data that nobody announced.
            parts.tables.foreignDataKnown(parts.turn.tick()).forEach(parts.statusMap::mayBeInStore);
            parts.carryOver.round();
            parts.baselines.confirmWhatIsSettled();
            releaseHeld();
        }
        parts.reads.tick();
        parts.scans.tick();
        parts.writes.tick();
    }

    private boolean visit(MutationRecord record) {
        PartitionState partition = record.partition;
        if (partition == null) {
            return false; // it went with its table, or its partition
        }
        if (parts.retirement.retire(record, partition)) {
            parts.writes.doneWith(record.key, record.id, parts.statusMap.floorOf(record.key));
            return false;
        }
        parts.leases.look(record);
        parts.completeness.look(record);
        parts.sinking.sinkIfDue(record);
        parts.settler.settleIfDue(record);
        return true;
    }

    // --- for whoever lets time pass --------------------------------------------------------------------------------

    /**
     * How long the node may go without a tick, as of the last step; not positive where it should be ticked at once.
     * Ticks that come later, or more often, cost latency or work only.
     */
    public long microsToNextTick() {
        return parts.microsToNextTick(sweptNanos);
    }
}
