/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Serves reads at cuts (§4.2.2, read worker). A read that cannot be answered waits in the {@link ReadSubscriptionMap}
 * and is looked at again when a status message or a mutation may have helped it; later it pulls; at its deadline it
 * fails.
 */
final class ReadWorker {
    private static final int MAX_ATTEMPTS = 16;

    private static final String CUT_GONE =
            "what the scanned partitions held at its cut is not kept any more: what was written meanwhile is a deletion"
                    + " of a range or of a partition, or takes too much";

    /** What a wait may take beside the network. */
    private static final long SLACK_MICROS = 20_000;

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final RestingCuts restingCuts;
    private final Delays delays;
    private final ReadBounds bounds;
    private final Pins pins;
    private final StrictAtHome home;
    private final WaitReasons reasons;
    private final ReadSubscriptionMap subscriptions = new ReadSubscriptionMap();
    private final Set<PartitionKey> touched = new HashSet<>();

    /** Time has passed in this step. */
    private boolean ticked;

    ReadWorker(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            TableStates tables,
            Knowledge knowledge,
            RestingCuts restingCuts,
            Delays delays,
            ReadBounds bounds,
            Pins pins,
            StrictAtHome home) {
        this.pins = pins;
        this.home = home;
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
        this.restingCuts = restingCuts;
        this.delays = delays;
        this.bounds = bounds;
        this.reasons = new WaitReasons(statusMap, tables, knowledge, bounds, home);
    }

    void started(Event.ReadStarted read) {
        ReplicaGroup group = statusMap.groupOf(read.key());
        String obstacle = tables.needsPerson(read.key().table());
        boolean atHome = StrictAtHome.isAsked(read.mode(), group);
        String clocksApart = atHome ? null : bounds.clocksApart(read.mode(), group);
        if (turn.tooFarAhead(read.tokenMicros())) {
            fail(read.readId(), Effect.Failure.BAD_TOKEN, turn.alarmOfTokenAhead(read.tokenMicros()));
        } else if (!group.contains(self)) {
            fail(read.readId(), Effect.Failure.NOT_A_REPLICA, "this node holds no replica of the partition");
        } else if (!tables.isEnabled(read.key().table())) {
            fail(read.readId(), Effect.Failure.NOT_READY, Readiness.NOT_ENABLED);
        } else if (obstacle != null) {
            fail(read.readId(), Effect.Failure.NOT_READY, obstacle);
        } else if (subscriptions.waitingCount() >= settings.now().maxWaitingReads()) {
            fail(
                    read.readId(),
                    Effect.Failure.OVERLOADED,
                    settings.now().maxWaitingReads() + " reads wait already (max_waiting_reads)");
        } else if (!atHome && read.mode().needsClock() && bounds.isClockOff()) {
            String detail = bounds.clockText();
            turn.alarm(Effect.AlarmKind.CLOCK_AHEAD, detail);
            fail(read.readId(), Effect.Failure.CLOCK, detail);
        } else if (clocksApart != null) {
            fail(read.readId(), Effect.Failure.CLOCK, clocksApart);
        } else {
            turn.clock.raise(read.tokenMicros()); // a token raises the clock, for reads too
            long oldest =
                    atHome ? read.tokenMicros() : Math.max(read.tokenMicros(), bounds.oldestMicros(read.mode(), group));
            // A strict read is answered once its cut has passed on every clock, so it takes no newer one than it must.
            long newest =
                    !atHome && ReadBounds.isStrict(read.mode()) ? Math.max(oldest, turn.wallMicros()) : Long.MAX_VALUE;
            var subscription = new ReadSubscriptionMap.Subscription(read, oldest, newest, turn.nanos());
            subscription.ageUnknown = bounds.isAgeUnknown(read.mode(), group);
            subscriptions.add(subscription);
            attempt(subscription, standings());
        }
    }

    /** Of a partition of a scan's range, at the scan's cut. */
    void started(Event.PinnedReadStarted read) {
        Pins.Pin pin = pins.get(read.scanId());
        if (pin == null) {
            fail(read.readId(), Effect.Failure.CUT_GONE, CUT_GONE);
        } else if (subscriptions.waitingCount() >= settings.now().maxWaitingReads()) {
            fail(
                    read.readId(),
                    Effect.Failure.OVERLOADED,
                    settings.now().maxWaitingReads() + " reads wait already (max_waiting_reads)");
        } else {
            var subscription = new ReadSubscriptionMap.Subscription(read, pin.cutMicros(), turn.nanos());
            subscriptions.add(subscription);
            attempt(subscription, standings());
        }
    }

    private boolean isAtHome(ReadSubscriptionMap.Subscription read) {
        return ReadBounds.isStrict(read.mode) && statusMap.groupOf(read.key).strictAtHome();
    }

    private boolean isByClocks(ReadSubscriptionMap.Subscription read) {
        return ReadBounds.isStrict(read.mode) && !isAtHome(read);
    }

    private Standings standings() {
        return new Standings(tables, knowledge);
    }

    private void attempt(ReadSubscriptionMap.Subscription read, Standings standings) {
        String clocksApart = isByClocks(read) ? bounds.clocksApart(read.mode, statusMap.groupOf(read.key)) : null;
        if (clocksApart != null) { // since it began
            subscriptions.remove(read);
            fail(read.readId, Effect.Failure.CLOCK, clocksApart);
            return;
        }
        if (read.scanId != 0 && isCutGone(read, standings)) {
            subscriptions.remove(read);
            fail(read.readId, Effect.Failure.CUT_GONE, CUT_GONE);
            return;
        }
        if (read.ageUnknown) {
            bounds.learn(read, statusMap.groupOf(read.key));
        }
        CutChooser.@Nullable Choice choice =
                read.attempts < MAX_ATTEMPTS && !read.ageUnknown ? choose(read, standings) : null;
        boolean tooEarly = choice != null
                && isByClocks(read)
                && (choice.cutMicros() > turn.wallMicros()
                        || !bounds.areClocksComparedSince(read.startedNanos, statusMap.groupOf(read.key)));
        if (choice == null || tooEarly) {
            read.waited = true;
            if (read.awaited == null) {
                read.awaited = tooEarly ? Awaited.CLOCK : awaited(read, standings);
            }
            subscriptions.waits(read);
            return;
        }
        subscriptions.stopsWaiting(read);
        answer(read, choice);
    }

    private void answer(ReadSubscriptionMap.Subscription read, CutChooser.Choice choice) {
        if (read.mode.kind() == ReadMode.Kind.SEQUENTIAL || isAtHome(read)) {
            restingCuts.wanted(statusMap.groupOf(read.key), read.key.table());
        }
        Served served = read.pulled
                ? Served.PULLED
                : read.waited ? Served.WAITED : choice.older() ? Served.OLDER : Served.LOCAL;
        var info = new Effect.ReadInfo(
                choice.cutMicros(), served, Math.max(0, turn.wallMicros() - choice.cutMicros()), read.awaited);
        var answer = new Effect.ReadAt(read.readId, info, choice.overlay(), choice.needsStore());
        turn.emit(answer);
        if (choice.needsStore()) {
            read.attempts++;
            read.offered = answer;
            read.versionOffered = statusMap.versionOf(read.key);
        } else {
            subscriptions.remove(read);
        }
    }

    /** Why no cut would do just now. */
    private Awaited awaited(ReadSubscriptionMap.Subscription read, Standings standings) {
        if (read.attempts >= MAX_ATTEMPTS) {
            return Awaited.STORE;
        }
        if (read.ageUnknown) {
            return Awaited.STATUS;
        }
        Standings.Standing standing =
                standings.of(statusMap.groupOf(read.key, statusMap.state(read.key)), read.key.table());
        if (standing.coverage == null) {
            return Awaited.TABLE;
        }
        return standing.newestCoveredMicros < read.oldestMicros ? Awaited.STATUS : Awaited.DECISION;
    }

    private CutChooser.@Nullable Choice choose(ReadSubscriptionMap.Subscription read, Standings standings) {
        PartitionState state = statusMap.state(read.key);
        ReplicaGroup group = statusMap.groupOf(read.key, state);
        Standings.Standing standing = standings.of(group, read.key.table());
        if (standing.coverage == null) {
            return null;
        }
        if (read.scanId != 0) {
            return CutChooser.at(read.oldestMicros, standing.coverage, state).choice();
        }
        long oldest = Math.max(
                Math.max(read.oldestMicros, statusMap.floorOf(state)),
                Math.max(knowledge.floorMicros(), standing.tableFloorMicros));
        if (StrictAtHome.isAsked(read.mode, group)) {
            return home.choose(read, group, standing, state, oldest);
        }
        return CutChooser.choose(
                group,
                standing.coverage,
                standing.newestCoveredMicros,
                state,
                read.row,
                oldest,
                Math.max(oldest, read.newestMicros));
    }

    /** Whether the partition can never be answered at the scan's cut, or it is not kept any more. */
    private boolean isCutGone(ReadSubscriptionMap.Subscription read, Standings standings) {
        Pins.Pin pin = pins.get(read.scanId);
        if (pin == null) {
            return true;
        }
        PartitionState state = statusMap.state(read.key);
        Standings.Standing standing = standings.of(statusMap.groupOf(read.key, state), read.key.table());
        if (standing.coverage == null) {
            return true; // the table is not served just now: data may be coming in that nobody has announced
        }
        // Of a partition in which nothing is in flight, nothing was forgotten that is visible only later.
        boolean forgotten = state != null && state.floorMicros > pin.cutMicros();
        boolean hopeless = forgotten
                || standing.tableFloorMicros > pin.cutMicros()
                || CutChooser.at(pin.cutMicros(), standing.coverage, state).hopeless();
        if (hopeless) {
            pins.lose(pin, CUT_GONE);
        }
        return hopeless;
    }

    /** The store was read: right if nothing was stamped or applied in these rows since the cut was offered. */
    void storeRead(long readId) {
        ReadSubscriptionMap.@Nullable Subscription read = subscriptions.get(readId);
        if (read == null || read.offered == null) {
            return;
        }
        boolean held = !isAtHome(read) || home.holds(statusMap.groupOf(read.key), read.key.table());
        if (held && statusMap.versionOf(read.key) == read.versionOffered) {
            subscriptions.remove(read);
            turn.emit(new Effect.ReadConfirmed(readId));
        } else {
            read.offered = null;
            attempt(read, standings());
        }
    }

    void abandoned(long readId) {
        ReadSubscriptionMap.@Nullable Subscription read = subscriptions.get(readId);
        if (read != null) {
            subscriptions.remove(read);
        }
    }

    /** Also those that were offered a cut and read the store just now. */
    void failAll(UUID table, String detail) {
        for (ReadSubscriptionMap.Subscription read : subscriptions.of(table)) {
            subscriptions.remove(read);
            fail(read.readId, Effect.Failure.NOT_READY, detail);
        }
    }

    /** Something was learned of this partition in this step. */
    void touched(PartitionKey key) {
        if (subscriptions.waitingCount() > 0) {
            touched.add(key);
        }
    }

    /** Looks again at the reads that this step may have helped. */
    void wake(boolean coverageAdvanced) {
        boolean all = coverageAdvanced || ticked;
        ticked = false;
        if (subscriptions.waitingCount() == 0) {
            touched.clear();
            return;
        }
        if (!all && touched.isEmpty()) {
            return;
        }
        List<ReadSubscriptionMap.Subscription> reads = new ArrayList<>();
        if (all) {
            reads = subscriptions.waiting();
        } else {
            for (PartitionKey key : touched) {
                reads.addAll(subscriptions.waitingFor(key));
            }
        }
        touched.clear();
        Standings standings = standings();
        for (ReadSubscriptionMap.Subscription read : reads) {
            attempt(read, standings);
        }
    }

    /** Fails what is overdue; asks the others for their status where a read has waited long. */
    void tick() {
        ticked = true;
        Set<NodeId> pullFrom = new HashSet<>();
        for (ReadSubscriptionMap.Subscription read : subscriptions.waiting()) {
            read.attempts = 0;
            if (turn.nanos() - read.deadlineNanos >= 0) {
                subscriptions.remove(read);
                fail(read.readId, Effect.Failure.TIMED_OUT, reasons.whyNot(read));
                continue;
            }
            long waitedMicros = (turn.nanos() - read.startedNanos) / 1_000;
            if (!read.hasUrged && waitedMicros >= 2 * delays.longestMicros() + SLACK_MICROS) {
                read.hasUrged = true;
                urgeSettling(read.key);
            }
            if (!read.pulled && waitedMicros >= settings.now().pullAfterMicros()) {
                read.pulled = true;
                pullFrom.addAll(statusMap.groupOf(read.key).members());
            }
        }
        pullFrom.remove(self);
        for (NodeId peer : pullFrom) {
            turn.send(peer, new Message.Pull(turn.tick()));
        }
    }

    /**
     * A wait longer than a round trip means that a write is incomplete: this node settles it now, whosever turn it is.
     */
    private void urgeSettling(PartitionKey key) {
        PartitionState state = statusMap.state(key);
        if (state != null) {
            state.latestFirst().forEach(record -> record.settleNow(turn.nanos()));
        }
    }

    @Nullable
    String whyWaits(long readId) {
        ReadSubscriptionMap.@Nullable Subscription read = subscriptions.get(readId);
        return read == null || read.offered != null ? null : reasons.whyNot(read);
    }

    private void fail(long readId, Effect.Failure failure, String detail) {
        turn.emit(new Effect.ReadFailed(readId, failure, detail));
    }

    /** The reads that wait, those that began first before the others. */
    List<CoreView.WaitingRead> waiting(int limit) {
        List<CoreView.WaitingRead> reads = new ArrayList<>();
        for (ReadSubscriptionMap.Subscription read : subscriptions.waiting()) {
            if (reads.size() == limit) {
                break;
            }
            reads.add(new CoreView.WaitingRead(
                    read.readId,
                    read.key,
                    read.mode,
                    read.awaited == null ? Awaited.DECISION : read.awaited,
                    read.startedNanos,
                    read.deadlineNanos,
                    read.pulled));
        }
        return reads;
    }

    int waitingCount() {
        return subscriptions.waitingCount();
    }

    int openCount() {
        return subscriptions.size();
    }
}
