/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives scans their cuts: the newest one at which every partition of the range can be answered, which is then
 * {@linkplain Pins pinned}. A scan for which there is none waits, is looked at again every few milliseconds, pulls, and
 * fails at its deadline, as reads do. Used by the core's thread only.
 */
final class ScanWorker {
    /**
     * A look goes over all that is in flight, which takes about so long for each: it is not to take all of the time.
     */
    private static final long LOOK_EVERY_NANOS = 5_000_000;

    private static final long PAUSE_FOR_EACH_NANOS = 1_000;

    /** Each partition may ask for an older cut than the ones before it. */
    private static final int MOST_ROUNDS = 16;

    /** What a wait may take beside the network. */
    private static final long SLACK_MICROS = 20_000;

    private static final class Waiting {
        final Event.ScanStarted scan;
        final long startedNanos;
        long lookedNanos;
        boolean pulled;
        boolean hasUrged;

        /** Those of its range that are not settled at the cut that was last found; of one step. */
        List<PartitionState> unsettled = List.of();

        @Nullable
        Awaited awaited;

        Waiting(Event.ScanStarted scan, long nowNanos) {
            this.scan = scan;
            this.startedNanos = nowNanos;
            this.lookedNanos = nowNanos;
        }
    }

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final Delays delays;
    private final Pins pins;
    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();

    ScanWorker(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            TableStates tables,
            Knowledge knowledge,
            Delays delays,
            Pins pins) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
        this.delays = delays;
        this.pins = pins;
    }

    void started(Event.ScanStarted scan) {
        UUID table = scan.range().table();
        String obstacle = tables.needsPerson(table);
        if (turn.tooFarAhead(scan.tokenMicros())) {
            fail(scan, Effect.Failure.BAD_TOKEN, turn.alarmOfTokenAhead(scan.tokenMicros()));
        } else if (!scan.range().groups().stream().allMatch(group -> group.contains(self))) {
            fail(scan, Effect.Failure.NOT_A_REPLICA, "this node does not hold all partitions of the scan");
        } else if (!tables.isEnabled(table)) {
            fail(scan, Effect.Failure.NOT_READY, Readiness.NOT_ENABLED);
        } else if (obstacle != null) {
            fail(scan, Effect.Failure.NOT_READY, obstacle);
        } else if (pins.areFull() || waiting.size() >= Pins.MOST) {
            fail(scan, Effect.Failure.OVERLOADED, Pins.MOST + " scans are under way already on this node");
        } else {
            turn.clock.raise(scan.tokenMicros()); // a token raises the clock, for scans too
            Waiting begun = new Waiting(scan, turn.nanos());
            if (!attempt(begun)) {
                waiting.put(scan.readId(), begun);
            }
        }
    }

    /** Whether it has its cut, or no longer needs one. */
    private boolean attempt(Waiting scan) {
        ScanRange range = scan.scan.range();
        long cutMicros = cutFor(scan);
        if (cutMicros == Long.MIN_VALUE) {
            scan.unsettled = List.of();
            return false;
        }
        Set<PartitionKey> stirred = new LinkedHashSet<>();
        scan.unsettled.forEach(state -> stirred.add(keyOf(state)));
        pins.pin(scan.scan.readId(), range, cutMicros, stirred, statusMap.load());
        Served served = scan.pulled ? Served.PULLED : scan.awaited != null ? Served.WAITED : Served.LOCAL;
        long staleMicros = Math.max(0, turn.wallMicros() - cutMicros);
        var info = new Effect.ReadInfo(cutMicros, served, staleMicros, scan.awaited);
        turn.emit(new Effect.ReadAt(scan.scan.readId(), info, null, true));
        return true;
    }

    private static PartitionKey keyOf(PartitionState state) {
        return state.latestFirst().get(0).key;
    }

    /** The newest cut at which all is decided and can be kept apart; {@link Long#MIN_VALUE} where there is none. */
    private long cutFor(Waiting scan) {
        ScanRange range = scan.scan.range();
        Standings standings = new Standings(tables, knowledge);
        List<Standings.Standing> groups = new ArrayList<>();
        long oldest = Math.max(
                Math.max(scan.scan.tokenMicros(), knowledge.floorMicros()),
                // Of all partitions in which nothing is in flight.
                statusMap.floorAtRest());
        long cut = Long.MAX_VALUE;
        for (ReplicaGroup group : range.groups()) {
            Standings.Standing standing = standings.of(group, range.table());
            if (standing.coverage == null) {
                note(scan, Awaited.TABLE);
                return Long.MIN_VALUE;
            }
            groups.add(standing);
            oldest = Math.max(oldest, standing.tableFloorMicros);
            cut = Math.min(cut, standing.newestCoveredMicros);
        }
        if (cut < oldest) {
            note(scan, Awaited.STATUS);
            return Long.MIN_VALUE;
        }
        long found = decided(scan, standings, oldest, cut);
        if (found == Long.MIN_VALUE || !groups.stream().allMatch(group -> group.covers(found))) {
            note(scan, Awaited.DECISION);
            return Long.MIN_VALUE;
        }
        return found;
    }

    private static void note(Waiting scan, Awaited awaited) {
        scan.awaited = scan.awaited == null ? awaited : scan.awaited;
    }

    private long decided(Waiting scan, Standings standings, long oldest, long newest) {
        long cut = newest;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            long before = cut;
            scan.unsettled = statusMap.unsettledIn(scan.scan.range(), before);
            for (PartitionState state : scan.unsettled) {
                cut = decided(state, standings, oldest, cut);
                if (cut == Long.MIN_VALUE) {
                    return cut;
                }
            }
            if (cut == before) {
                return cut;
            }
        }
        return Long.MIN_VALUE;
    }

    private static long decided(PartitionState state, Standings standings, long oldest, long newest) {
        Standings.Standing standing = standings.of(state.group(), keyOf(state).table());
        Coverage[] coverage = standing.coverage;
        CutChooser.Choice choice = coverage == null
                ? null
                : CutChooser.choose(
                        state.group(),
                        coverage,
                        newest,
                        state,
                        Update.ANY_ROW,
                        Math.max(oldest, state.floorMicros),
                        newest);
        return choice == null ? Long.MIN_VALUE : choice.cutMicros();
    }

    /** The store was scanned: which partitions are to be read one by one. */
    void storeRead(long readId) {
        Pins.Pin pin = pins.get(readId);
        if (pin != null) { // else it was told that its cut is gone
            turn.emit(new Effect.ScanStirred(readId, pin.stirred()));
        }
    }

    void ended(long readId) {
        waiting.remove(readId);
        pins.end(readId);
    }

    /** Also those that have their cut. */
    void failAll(UUID table, String detail) {
        for (Waiting scan : List.copyOf(waiting.values())) {
            if (scan.scan.range().table().equals(table)) {
                waiting.remove(scan.scan.readId());
                fail(scan.scan, Effect.Failure.NOT_READY, detail);
            }
        }
        pins.loseAll(table, detail);
    }

    /** Looks again at those that wait; fails what is overdue; asks the others where a scan has waited for long. */
    void tick() {
        for (Waiting scan : List.copyOf(waiting.values())) {
            if (turn.nanos() - scan.scan.deadlineNanos() >= 0) {
                waiting.remove(scan.scan.readId());
                fail(scan.scan, Effect.Failure.TIMED_OUT, whyNot(scan));
            } else if (turn.nanos() - scan.lookedNanos >= LOOK_EVERY_NANOS + PAUSE_FOR_EACH_NANOS * statusMap.size()) {
                scan.lookedNanos = turn.nanos();
                if (attempt(scan)) {
                    waiting.remove(scan.scan.readId());
                } else {
                    urge(scan);
                }
            }
        }
    }

    private void urge(Waiting scan) {
        long waitedMicros = (turn.nanos() - scan.startedNanos) / 1_000;
        if (!scan.hasUrged && waitedMicros >= 2 * delays.longestMicros() + SLACK_MICROS) {
            scan.hasUrged = true;
            for (PartitionState state : statusMap.unsettledIn(scan.scan.range(), Long.MAX_VALUE - 1)) {
                state.latestFirst().forEach(record -> record.settleNow(turn.nanos()));
            }
        }
        if (!scan.pulled && waitedMicros >= settings.now().pullAfterMicros()) {
            scan.pulled = true;
            Set<NodeId> peers = new HashSet<>();
            scan.scan.range().groups().forEach(group -> peers.addAll(group.members()));
            peers.remove(self);
            peers.stream().sorted().forEach(peer -> turn.send(peer, new Message.Pull(turn.tick())));
        }
    }

    private String whyNot(Waiting scan) {
        for (ReplicaGroup group : scan.scan.range().groups()) {
            String notReady = tables.notReady(scan.scan.range().table(), group);
            String leftBehind = notReady == null ? knowledge.whyLeftBehind(group) : notReady;
            if (leftBehind != null) {
                return leftBehind;
            }
        }
        return scan.awaited == Awaited.STATUS
                ? "too few replicas have sent status messages as new as the session needs"
                : "writes of the scanned partitions stayed undecided, or could not be kept apart: deletions of whole"
                        + " partitions or of ranges are in flight, or a replica that may have applied them is not heard";
    }

    private void fail(Event.ScanStarted scan, Effect.Failure failure, String detail) {
        turn.emit(new Effect.ReadFailed(scan.readId(), failure, detail));
    }

    @Nullable
    String whyWaits(long readId) {
        Waiting scan = waiting.get(readId);
        return scan == null ? null : whyNot(scan);
    }

    int waitingCount() {
        return waiting.size();
    }
}
