/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The protocol core of one node: a deterministic state machine that is told events and answers with effects. It has no
 * I/O, no threads, no clock and no randomness, and runs unchanged in Cassandra and in the simulator.
 *
 * <p>Used by one thread at a time. The parts carry the names of the paper (Liu, Guan, Vlassov, Haridi: MeteorShower,
 * ICDCS 2017): {@link StatusMessageDispatcher}, {@link MessageReceiver}, {@link StatusMap},
 * {@link ReadSubscriptionMap}, {@link ReadWorker}, {@link WriteWorker}. This class only routes events to them.
 */
public final class SequentialReads {
    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Delays delays = new Delays();
    private final ReadBounds bounds;
    private final LeftBehind leftBehind;
    private final MessageReceiver receiver;
    private final StatusMessageDispatcher dispatcher;
    private final TableStates tables;
    private final ReadWorker reads;
    private final WriteWorker writes;
    private final ApplyWorker applies;
    private final Sweep sweep = new Sweep();
    private final Settler settler;
    private final Retirement retirement;
    private final Sinking sinking;
    private final Rejoining rejoining;
    private final Attention attention;
    private final Knowledge knowledge;
    private final Placement placement;
    private final RestingCuts restingCuts;
    private final Events events = new Events();
    private final Messages messages = new Messages();
    private final Map<NodeId, List<Message.RetiredMutation>> retiredToTell = new HashMap<>();
    private final Map<UUID, Long> confirmingNanos = new HashMap<>();
    private long sweptNanos;
    private boolean started;

    /** @param firstSettings in force until {@link Event.SettingsChanged} */
    public SequentialReads(NodeId self, Settings firstSettings, Placement placement, Recovery recovery) {
        this.self = self;
        this.placement = placement;
        settings = new LiveSettings(firstSettings);
        var skews = new SkewWatch(settings);
        var peerClocks = new PeerClocks(settings);
        long floor = recovery.ceilingMicros();
        turn = new Turn(new HybridClock(floor, firstSettings.ceilingStepMicros()), settings);
        statusMap = new StatusMap(self, placement, settings, floor);
        leftBehind = new LeftBehind(recovery.stalePeers());
        receiver =
                new MessageReceiver(recovery.incarnation(), settings, turn, delays, skews, peerClocks, this::announced);
        dispatcher = new StatusMessageDispatcher(
                self, recovery.incarnation(), settings, turn, statusMap, delays, leftBehind);
        tables = new TableStates(self, recovery.incarnation(), placement, turn, receiver, settings);
        knowledge = new Knowledge(self, floor, turn, receiver, tables);
        restingCuts = new RestingCuts(self, turn, statusMap, tables, knowledge);
        bounds = new ReadBounds(self, settings, turn, delays, skews, peerClocks);
        reads = new ReadWorker(self, settings, turn, statusMap, tables, knowledge, restingCuts, delays, bounds);
        writes = new WriteWorker(self, settings, turn, statusMap, delays, skews, floor);
        settler = new Settler(self, settings, turn, statusMap, delays, receiver, leftBehind, tables);
        retirement = new Retirement(self, settings, turn, statusMap, knowledge, leftBehind);
        sinking = new Sinking(settings, turn, statusMap, knowledge);
        applies =
                new ApplyWorker(self, settings, turn, statusMap, tables, delays, dispatcher, writes, sweep, retirement);
        rejoining = new Rejoining(recovery.incarnation(), settings, turn, receiver);
        attention = new Attention(settings, turn, receiver);
        recovery.tables().forEach(t -> tables.recover(t.table(), t.sinceMicros(), t.baseline(), t.ready()));
        recovery.updates().forEach(this::recover);
    }

    /**
     * A mutation of an earlier life: stamped then, and to be offered to the store again, which may never have got it.
     */
    private void recover(Recovery.StampedUpdate stamped) {
        Update update = stamped.update();
        MutationRecord record = statusMap.record(Announcement.of(update, stamped.appliedMicros()), 0);
        if (record == null) {
            return; // the partition has moved away
        }
        record.recovered = true; // its content stays in the journal
        record.local = MutationRecord.Local.APPLYING;
        record.applied(record.group().indexOf(self), stamped.appliedMicros());
        sweep.add(record);
        sweep.reapplySoon(record);
    }

    /** Takes one step. The effects are to be carried out in order, and before those of the next step. */
    public List<Effect> step(Event event, Now now) {
        turn.begin(now);
        if (!started) {
            started = true;
            turn.tick(); // above F from the first step on, and with it a ceiling of this life
        }
        event.handOver(events);
        tellRetired();
        reads.wake(receiver.advancedSinceAsked());
        restingCuts.tell(!event.isOfClient());
        return turn.end();
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
            attention.needed();
            applies.intended(intended);
            reads.touched(intended.update().key());
        }

        @Override
        public void on(Event.Applied applied) {
            applies.applied(applied);
            reads.touched(applied.key());
        }

        @Override
        public void on(Event.ApplyFailed failed) {
            applies.failed(failed);
        }

        @Override
        public void on(Event.Acknowledging acknowledging) {
            applies.acknowledging(acknowledging, receiver);
        }

        @Override
        public void on(Event.Observed observed) {
            if (turn.tooFarAhead(observed.cutMicros())) {
                turn.alarmOfTokenAhead(observed.cutMicros());
            } else {
                turn.clock.raise(observed.cutMicros());
            }
        }

        @Override
        public void on(Event.ReadStarted started) {
            attention.needed();
            reads.started(started);
        }

        @Override
        public void on(Event.StoreRead read) {
            reads.storeRead(read.readId());
        }

        @Override
        public void on(Event.ReadAbandoned abandoned) {
            reads.abandoned(abandoned.readId());
        }

        @Override
        public void on(Event.WriteStarted started) {
            attention.needed();
            if (retirement.isFull()) {
                refuse(started, Effect.ReadFailure.OVERLOADED, retirement.whyFull());
            } else if (started.keys().stream().anyMatch(key -> !tables.isEnabled(key.table()))) {
                refuse(started, Effect.ReadFailure.NOT_READY, TableStates.NOT_ENABLED);
            } else if (started.keys().stream().anyMatch(SequentialReads.this::isHeld)) {
                refuse(started, Effect.ReadFailure.NOT_READY, TableStates.MOVED);
            } else {
                writes.started(started);
            }
        }

        private void refuse(Event.WriteStarted write, Effect.ReadFailure failure, String why) {
            turn.emit(new Effect.WriteRefused(write.writeId(), failure, why));
        }

        @Override
        public void on(Event.WriteAbandoned abandoned) {
            writes.abandoned(abandoned.writeId());
        }

        // --- the node ------------------------------------------------------------------------------------------

        @Override
        public void on(Event.SettingsChanged changed) {
            settings.change(changed.settings());
        }

        @Override
        public void on(Event.PeersChanged changed) {
            Set<NodeId> peers = new LinkedHashSet<>(changed.peers());
            peers.remove(self);
            statusMap.regroup().forEach(SequentialReads.this::dropped);
            receiver.retain(peers);
            dispatcher.retain(peers);
        }

        @Override
        public void on(Event.TableEnabled enabled) {
            tables.enable(enabled.table(), enabled.empty());
        }

        @Override
        public void on(Event.TableMoved moved) {
            tables.moved(moved.table());
        }

        @Override
        public void on(Event.TableLeft left) {
            tables.left(left.table());
            statusMap.contentUnknown(left.table());
        }

        @Override
        public void on(Event.BaselineConfirmed confirmed) {
            confirmingNanos.put(confirmed.table(), turn.nanos());
            confirmWhatIsSettled();
        }

        @Override
        public void on(Event.TableDisabled disabled) {
            disable(disabled.table());
        }

        @Override
        public void on(Event.TableEnded ended) {
            disable(ended.table());
            tables.end(ended.table(), ended.groups(), ended.everybody());
        }

        @Override
        public void on(Event.PeerRepairing repairing) {
            retirement.repairing(repairing.peer());
        }

        @Override
        public void on(Event.ComeBack comeBack) {
            rejoining.comeBack();
        }

        @Override
        public void on(Event.Filled filled) {
            rejoining.filled(filled);
        }

        @Override
        public void on(Event.JournalNearlyFull nearlyFull) {
            retirement.makeRoom(receiver);
        }

        @Override
        public void on(Event.PeerRepaired repaired) {
            if (retirement.admit(repaired.peer())) {
                dispatcher.drop(repaired.peer());
            }
        }

        @Override
        public void on(Event.ForeignDataComing coming) {
            tables.foreignDataComing(coming.table());
            statusMap.contentUnknown(coming.table());
        }

        @Override
        public void on(Event.ForeignData foreign) {
            tables.foreignData(foreign.table());
            statusMap.contentUnknown(foreign.table());
        }
    }

    private boolean isHeld(PartitionKey key) {
        return tables.isHeld(key.table()) && statusMap.groupOf(key).contains(self);
    }

    /**
     * From here on mutations of the table come into the store unannounced. So the peers must not take this node's
     * silence for "not applied", and no read that is under way may be answered from the store.
     */
    private void disable(UUID table) {
        if (tables.disable(table)) {
            dispatcher.endAll();
            reads.failAll(table, "the table was disabled meanwhile");
        }
        writes.failAll(table);
        confirmingNanos.remove(table);
        statusMap.dropTable(table).forEach(this::dropped);
    }

    /** Nobody here asks for this mutation any more, so the journal need not keep it. */
    private void dropped(MutationRecord record) {
        if (record.local != MutationRecord.Local.ABSENT) {
            turn.emit(new Effect.JournalRetired(record.key, record.id));
        }
    }

    private void received(NodeId from, Message message) {
        if (turn.tooFarAhead(message.hlcMicros())) {
            turn.alarm(
                    Effect.AlarmKind.CLOCK_AHEAD,
                    "a message of " + from + " is " + (message.hlcMicros() - turn.wallMicros()) / 1_000
                            + " ms ahead of this node's clock and was refused: check both clocks");
            return;
        }
        turn.clock.raise(message.hlcMicros());
        receiver.heardFrom(from);
        message.handOver(messages, from);
    }

    /** Brings each kind of message to the parts that it concerns, with its sender. */
    private final class Messages implements Message.Handler<NodeId> {
        @Override
        public void on(Message.StatusMessage status, NodeId from) {
            receiver.status(from, status);
            dispatcher.acknowledged(from, status.acknowledgedStream(), status.acknowledgedSeq());
        }

        @Override
        public void on(Message.Snapshot snapshot, NodeId from) {
            receiver.snapshot(from, snapshot);
        }

        @Override
        public void on(Message.Subscribe subscribe, NodeId from) {
            receiver.peerSubscribed(from, subscribe.incarnation());
            tables.asked(from, subscribe);
            // A node that shares nothing with this one (any more) gets no stream: what it missed of a name that was
            // forgotten here would be missing in the snapshot. The report it gets: it may wait to hear that this node
            // follows the present name.
            if (receiver.peers().contains(from)) {
                dispatcher.subscribed(from, subscribe);
            }
        }

        @Override
        public void on(Message.Tables reports, NodeId from) {
            tables.received(from, reports);
        }

        @Override
        public void on(Message.ReRequest request, NodeId from) {
            dispatcher.resend(from, request);
        }

        @Override
        public void on(Message.WriteAck ack, NodeId from) {
            writes.acknowledged(from, ack.key(), ack.timestampMicros(), ack.appliedMicros());
        }

        @Override
        public void on(Message.Settle settle, NodeId from) {
            settler.settle(from, settle);
        }

        @Override
        public void on(Message.Fetch fetch, NodeId from) {
            settler.fetched(from, fetch);
        }

        @Override
        public void on(Message.Retired retired, NodeId from) {
            retiredElsewhere(retired);
        }

        @Override
        public void on(Message.Pull pull, NodeId from) {
            dispatcher.pulled(from, receiver);
        }

        @Override
        public void on(Message.Stale refusal, NodeId from) {
            receiver.refused(from, refusal);
            rejoining.refused(from, refusal);
            turn.alarm(
                    Effect.AlarmKind.LEFT_BEHIND,
                    from + " has left this node behind: until this node has been filled with what it missed, it shows"
                            + " nothing that " + from + " alone could tell it. It sees to that by itself, unless"
                            + " automatic_return is off: then it is to be repaired (docs/INSTALL.md)");
        }

        @Override
        public void on(Message.Returning returning, NodeId from) {
            if (receiver.peers().contains(from)) {
                turn.send(from, retirement.returning(from, returning));
            }
        }

        @Override
        public void on(Message.Awaited awaited, NodeId from) {
            rejoining.awaited(from, awaited);
        }
    }

    /** A replica says that it has applied a mutation. */
    private void announced(NodeId from, Announcement announced) {
        if (!tables.isEnabled(announced.key().table())) {
            return; // enabling it here will ask for new streams, and so for all of this again
        }
        MutationRecord record = statusMap.find(announced.key(), announced.id());
        if (record == null) {
            if (statusMap.retiredBy(announced.key(), announced.id()) != null) {
                retiredToTell
                        .computeIfAbsent(from, peer -> new ArrayList<>())
                        .add(new Message.RetiredMutation(announced.key(), announced.id()));
                return;
            }
            record = statusMap.record(announced, turn.nanos());
            if (record == null) {
                return; // this node holds no replica of the key (any more)
            }
            sweep.add(record);
        }
        int member = record.group().indexOf(from);
        if (member >= 0 && noted(record, member, announced.appliedMicros(), receiver.isBehind(from))) {
            reads.touched(record.key);
            writes.announced(from, record.key, record.id, announced.appliedMicros());
        }
    }

    private static boolean noted(MutationRecord record, int member, long appliedMicros, boolean behind) {
        return behind ? record.appliedBy(member, appliedMicros) : record.applied(member, appliedMicros);
    }

    private void tellRetired() {
        if (retiredToTell.isEmpty()) {
            return;
        }
        retiredToTell.forEach((peer, mutations) -> {
            long byMicros = 0;
            for (Message.RetiredMutation mutation : mutations) {
                Long by = statusMap.retiredBy(mutation.key(), mutation.id());
                byMicros = Math.max(byMicros, by == null ? turn.clock.value() : by);
            }
            turn.send(peer, new Message.Retired(turn.tick(), mutations, byMicros));
        });
        retiredToTell.clear();
    }

    private void retiredElsewhere(Message.Retired message) {
        for (Message.RetiredMutation mutation : message.mutations()) {
            MutationRecord record = statusMap.find(mutation.key(), mutation.id());
            if (record != null) {
                record.everywhereByMicros = Math.min(record.everywhereByMicros, message.byMicros());
                reads.touched(record.key);
            }
        }
    }

    private void tick() {
        receiver.mend();
        rejoining.tick();
        if (statusMap.size() > 0) {
            attention.needed();
        }
        dispatcher.dispatchDue(receiver, isQuiet());
        tables.reportDue(receiver.peers());
        sweep.reapply(turn);
        if (turn.nanos() - sweptNanos >= 1_000 * settings.now().dispatchIntervalMicros()) {
            sweptNanos = turn.nanos();
            settler.newRound();
            sweep.round(this::visit);
            retirement.enforceLimit(receiver);
            learnForeignData();
            confirmWhatIsSettled();
        }
        reads.tick();
        writes.tick();
    }

    private boolean visit(MutationRecord record) {
        PartitionState partition = record.partition;
        if (partition == null) {
            return false; // it went with its table, or its partition
        }
        if (retirement.retire(record, partition)) {
            writes.doneWith(record.key, record.id, statusMap.floorOf(record.key));
            return false;
        }
        sinking.sinkIfDue(record);
        settler.settleIfDue(record);
        return true;
    }

    /**
     * A baseline is confirmed once this node has stamped all that others had announced by then. A node without a
     * baseline may have lost its journal: what it stamped and forgot is among that, and from the confirmation on it
     * vouches for all.
     */
    private void confirmWhatIsSettled() {
        confirmingNanos.entrySet().removeIf(confirming -> {
            boolean settled = statusMap.all().stream()
                    .noneMatch(record -> record.key.table().equals(confirming.getKey())
                            && record.local == MutationRecord.Local.ABSENT
                            && record.createdNanos - confirming.getValue() <= 0);
            if (settled) {
                tables.confirmBaseline(confirming.getKey());
            }
            return settled;
        });
    }

    /** Whatever was announced and not stamped here may have come with the data that nobody announced. */
    private void learnForeignData() {
        for (UUID table : tables.foreignDataKnown(turn.tick())) {
            for (MutationRecord record : statusMap.all()) {
                if (record.key.table().equals(table) && record.local == MutationRecord.Local.ABSENT) {
                    record.maybeInStore = true;
                }
            }
        }
    }

    // --- for whoever lets time pass --------------------------------------------------------------------------------

    /** Whether nothing is in flight and nobody waits. */
    private boolean isQuiet() {
        return statusMap.size() == 0
                && reads.waitingCount() == 0
                && writes.pendingCount() == 0
                && tables.isNoneEnding()
                && !dispatcher.isFlushWanted();
    }

    /**
     * How long the node may go without a tick, as of the last step; not positive where it should be ticked at once.
     * Ticks that come later, or more often, cost latency or work only.
     */
    public long microsToNextTick() {
        if (reads.waitingCount() > 0 || writes.isAnyWaitingForClock() || sweep.isAnyToReapply()) {
            return 0;
        }
        long dispatchMicros = dispatcher.microsToNextDispatch();
        if (statusMap.size() == 0 && tables.isNoneEnding()) {
            return dispatchMicros;
        }
        long sweepMicros = settings.now().dispatchIntervalMicros() - (turn.nanos() - sweptNanos) / 1_000;
        return Math.min(dispatchMicros, sweepMicros);
    }

    /** Who holds the partition. May be asked by any thread, if the placement may. */
    public ReplicaGroup replicasOf(PartitionKey key) {
        return placement.replicasOf(key);
    }

    // --- for tests, metrics and people ---------------------------------------------------------------------------

    /** How many mutations are in flight, as far as this node knows. */
    public int recordCount() {
        return statusMap.size();
    }

    /** What is kept on the heap, by estimate. Bytes. */
    public MemoryUse memoryUse() {
        KeptBytes kept = statusMap.kept();
        return new MemoryUse(
                kept.index(),
                kept.data(),
                kept.histories(),
                statusMap.rememberedBytes() + settler.takenBytes(),
                dispatcher.keptBytes() + receiver.keptBytes(),
                (long) Footprint.READ * reads.openCount() + (long) Footprint.WRITE * writes.pendingCount());
    }

    /**
     * What {@link MemoryUse#records} may be just now before a silent peer is left behind: more while one is being
     * repaired.
     */
    public long recordsLimitBytes() {
        return retirement.limitBytes(receiver);
    }

    /**
     * The part of {@link MemoryUse#records} that no peer can be left behind for: fewer than w replicas are known to
     * have it.
     */
    public long undecidedBytes() {
        return retirement.undecidedBytes();
    }

    /** The mutations in flight, a line each, at most {@code limit}; for people who look for what is stuck. */
    public List<String> describeRecords(int limit) {
        return statusMap.all().stream()
                .limit(limit)
                .map(record -> record.key + " " + record)
                .toList();
    }

    public int waitingReadCount() {
        return reads.waitingCount();
    }

    /**
     * A read that waits; times on the scale of elapsed time.
     *
     * @param awaited what it waited for first
     * @param pulled whether the other replicas have been asked for their status on its behalf
     */
    public record WaitingRead(
            long readId,
            PartitionKey key,
            ReadMode mode,
            Awaited awaited,
            long startedNanos,
            long deadlineNanos,
            boolean pulled) {}

    /** The reads that wait, at most {@code limit}. */
    public List<WaitingRead> waitingReads(int limit) {
        return reads.waiting(limit);
    }

    /** Whether the update, if it were offered now, would be stamped and journaled. */
    public boolean wouldStamp(Update update) {
        return applies.wouldStamp(update);
    }

    /** Whether this node is a replica of one of these partitions. */
    public boolean holdsAny(Collection<PartitionKey> keys) {
        return keys.stream().anyMatch(key -> statusMap.groupOf(key).contains(self));
    }

    /** What a read waits for, in words; null where it does not wait for other nodes. */
    public @Nullable String whyWaits(long readId) {
        return reads.whyWaits(readId);
    }

    /** Why reads in this mode are refused at the moment, or null where they are not. */
    public @Nullable String whyRefused(ReadMode mode) {
        return bounds.whyRefused(mode);
    }

    /** In force now. */
    public Settings settings() {
        return settings.now();
    }

    public int openReadCount() {
        return reads.openCount();
    }

    public int pendingWriteCount() {
        return writes.pendingCount();
    }

    public Set<NodeId> leftBehind() {
        return leftBehind.peers();
    }

    /** The peers that have left this node behind, by what they last said; none of them tells it of anything new. */
    public Set<NodeId> leftBehindBy() {
        return knowledge.leftBehindBy();
    }

    /**
     * Why reads of this group's keys are shown nothing new here: too many have left this node behind. Null where enough
     * have not. What was covered before may still be read, by sessions that have seen nothing newer.
     */
    public @Nullable String whyLeftBehind(ReplicaGroup group) {
        return knowledge.whyLeftBehind(group);
    }

    /** Those left behind whose repair was announced here: they have been waited for ever since. */
    public Set<NodeId> beingRepaired() {
        return leftBehind.beingRepaired();
    }

    /** Those left behind that are waited for again: they are being repaired, or come back by themselves. */
    public Set<NodeId> awaitedAgain() {
        return leftBehind.awaitedAgain();
    }

    /** The peers that have reported the table as enabled since it was enabled here. */
    public Set<NodeId> reportedBy(UUID table) {
        return tables.reportedBy(table);
    }

    /**
     * Whether the table was disabled here, and another node may still serve it: then it is not yet an ordinary table.
     */
    public boolean isEnding(UUID table) {
        return tables.isEnding(table);
    }

    /**
     * Whether some mutation of the table may be in the store without having been stamped here: then this must be known
     * after a restart, too.
     */
    public boolean hasForeignData(UUID table) {
        return tables.hasForeignData(table)
                || statusMap.all().stream()
                        .anyMatch(record -> record.maybeInStore
                                && record.local == MutationRecord.Local.ABSENT
                                && record.key.table().equals(table));
    }

    /** Whether the table's baseline is known at this node. */
    public boolean hasBaseline(UUID table) {
        return tables.hasBaseline(table);
    }

    /** How long nothing was heard of the peer; {@link Long#MAX_VALUE} if never. */
    public long silentForMicros(NodeId peer) {
        return receiver.silentForMicros(peer);
    }

    /** The nodes that share data with this one. */
    public Set<NodeId> peers() {
        return new HashSet<>(receiver.peers());
    }

    /**
     * How far the stream from the peer has come: subscribed, snapshot or live; refused where the peer has left this
     * node behind; none where it is no peer.
     */
    public String streamOf(NodeId peer) {
        return receiver.phaseOf(peer);
    }

    /** How far the hybrid clock was ahead of the physical one at the last step. */
    public long clockAheadMicros() {
        return turn.clock.aheadMicros(turn.wallMicros());
    }

    public long hybridClockMicros() {
        return turn.clock.value();
    }

    /** Why the table cannot be served for keys of this group, or null if it can. */
    public @Nullable String notReady(UUID table, ReplicaGroup group) {
        return tables.notReady(table, group, self);
    }

    /** The newest cut up to which the peer's announcements are known here, or null before its first stream. */
    public @Nullable Long coveredUpToMicros(NodeId peer) {
        Coverage coverage = receiver.coverageOf(peer);
        return coverage.isEmpty() ? null : Long.valueOf(coverage.newestMicros());
    }

    public long oneWayDelayMicros(NodeId peer) {
        return delays.oneWayMicros(peer);
    }

    /** How far the peer's physical clock seems to be ahead of this node's, or null before it was measured. */
    public @Nullable Long clockSkewMicros(NodeId peer) {
        return delays.skewMicros(peer);
    }
}
