/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one node's core, and how they are tied together. What each does, it says itself. Known to those who
 * route; no part knows it.
 */
final class Parts {
    final NodeId self;
    final LiveSettings settings;
    final Turn turn;
    final Pins pins;
    final StatusMap statusMap;
    final Delays delays = new Delays();
    final ReadBounds bounds;
    final LeftBehind leftBehind;
    final MessageReceiver receiver;
    final Leases leases;
    final Completeness completeness;
    final StatusMessageDispatcher dispatcher;
    final TableStates tables;
    final Knowledge knowledge;
    final RestingCuts restingCuts;
    final ReadWorker reads;
    final ScanWorker scans;
    final WriteWorker writes;
    final ApplyWorker applies;
    final Sweep sweep = new Sweep();
    final Settler settler;
    final Retirement retirement;
    final Sinking sinking;
    final Rejoining rejoining;
    final Attention attention;
    final Announcements announcements;
    final RetiredNews news;
    final Baselines baselines;
    final HeldWrites held;
    final CarryOver carryOver;

    Parts(NodeId self, Settings firstSettings, Placement placement, Recovery recovery) {
        this.self = self;
        settings = new LiveSettings(firstSettings);
        var skews = new SkewWatch(settings);
        var peerClocks = new PeerClocks(settings);
        long floor = recovery.ceilingMicros();
        long life = recovery.incarnation();
        turn = new Turn(new HybridClock(floor, firstSettings.ceilingStepMicros()), settings);
        pins = new Pins(settings, turn);
        statusMap = new StatusMap(self, placement, settings, pins, floor);
        leftBehind = new LeftBehind(recovery.stalePeers());
        receiver = new MessageReceiver(
                life,
                settings,
                turn,
                delays,
                skews,
                peerClocks,
                this::announced,
                this::beginsAnew,
                (from, message) -> leases().heard(from, message));
        leases = new Leases(self, settings, turn, delays, leftBehind, receiver, this::goesByTheSame);
        completeness = new Completeness(self, turn, delays, receiver, leases);
        dispatcher = new StatusMessageDispatcher(self, life, settings, turn, statusMap, delays, leftBehind, leases);
        tables = new TableStates(self, life, placement, turn, receiver, statusMap);
        knowledge = new Knowledge(self, floor, turn, receiver, tables);
        restingCuts = new RestingCuts(turn, statusMap, tables, knowledge, leases);
        bounds = new ReadBounds(self, settings, turn, delays, skews, peerClocks);
        reads = new ReadWorker(
                self,
                settings,
                turn,
                statusMap,
                tables,
                knowledge,
                restingCuts,
                delays,
                bounds,
                pins,
                new StrictAtHome(turn, statusMap, leases, completeness));
        scans = new ScanWorker(self, settings, turn, statusMap, tables, knowledge, delays, pins);
        writes = new WriteWorker(
                self,
                settings,
                turn,
                statusMap,
                delays,
                new CommitWait(settings, turn, statusMap, skews),
                tables,
                leases,
                completeness,
                floor);
        news = new RetiredNews(settings, turn, statusMap);
        settler = new Settler(self, settings, turn, statusMap, delays, receiver, leftBehind, tables, news);
        retirement = new Retirement(
                self, settings, turn, statusMap, knowledge, leftBehind, tables, pins, news, completeness);
        sinking = new Sinking(settings, turn, statusMap, knowledge, pins);
        held = new HeldWrites(this::isHeld);
        applies = new ApplyWorker(
                self, settings, turn, statusMap, tables, delays, dispatcher, writes, sweep, retirement, held);
        rejoining = new Rejoining(life, settings, turn, receiver);
        attention = new Attention(settings, turn, receiver);
        announcements = new Announcements(turn, statusMap, tables, receiver, reads, writes, sweep, news);
        baselines = new Baselines(turn, statusMap, tables);
        carryOver = new CarryOver(self, placement, turn, statusMap, tables, knowledge, leftBehind);
    }

    /** Whether nothing is in flight and nobody waits. */
    boolean isQuiet() {
        return statusMap.size() == 0
                && reads.waitingCount() == 0
                && scans.waitingCount() == 0
                && held.isNone()
                && carryOver.isNone()
                && writes.pendingCount() == 0
                && tables.isNoneEnding()
                && !tables.moves.isReportingOften()
                && !dispatcher.isFlushWanted();
    }

    /** How long the node may go without a tick; not positive where it should be ticked at once. */
    long microsToNextTick(long sweptNanos) {
        if (reads.waitingCount() > 0
                || scans.waitingCount() > 0
                || writes.isAnyWaitingForClock()
                || sweep.isAnyToReapply()) {
            return 0;
        }
        long dispatchMicros = dispatcher.microsToNextDispatch();
        if (statusMap.size() == 0 && tables.isNoneEnding()) {
            return dispatchMicros;
        }
        return Math.min(dispatchMicros, settings.now().dispatchIntervalMicros() - (turn.nanos() - sweptNanos) / 1_000);
    }

    private Leases leases() {
        return leases; // which is made after what calls it
    }

    private boolean goesByTheSame(NodeId node) {
        return tables.goesByTheSame(node);
    }

    private void beginsAnew(NodeId peer) {
        statusMap.toBeToldAnewBy(peer);
        dispatcher.lives(peer, receiver.incarnationOf(peer));
        leases.beginsAnew(peer);
    }

    private void announced(NodeId from, Announcement announced) {
        announcements.heard(from, announced);
    }

    /** Some promises may have run out: all are told at once, and writes look anew at whom they wait for. */
    void renewLeases() {
        completeness.round();
        if (leases.round()) {
            receiver.peers().forEach(peer -> dispatcher.flush(peer, receiver));
        }
        writes.wake();
    }

    /** The table goes by this name from now on. */
    void moved(UUID table, @Nullable UUID from, boolean live) {
        tables.moves.moved(table, from, live);
        if (from != null) {
            carryOver.begin(from, table);
            applies.moved(from, table);
            writes.moved(from, table);
        }
    }

    /** Nothing that is under way may be answered from the table's store. */
    void failReads(UUID table, String why) {
        reads.failAll(table, why);
        scans.failAll(table, why);
    }

    /** Whether this node, a replica, takes no write of the partition, nor vouches for any. */
    private boolean isHeld(PartitionKey key) {
        return tables.moves.isHeld(key.table()) && statusMap.groupOf(key).contains(self);
    }
}
