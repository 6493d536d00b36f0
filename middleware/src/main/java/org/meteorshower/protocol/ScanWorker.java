/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

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
 * fails at its deadline, as reads do.
 *
 * <p>Several nodes that share a scan read at one cut. Each keeps more than its own: what is visible only after a cut
 * from somewhat earlier. So they can look for the newest cut at which all of them can answer, and are then raised to
 * it: partitions that are not stirred have the same content at both, once it is certain that nothing below the newer
 * one is still to come. Used by the core's thread only.
 */
final class ScanWorker {
    /**
     * A look goes over all that is in flight, which takes about so long for each: it is not to take all of the time.
     */
    private static final long LOOK_EVERY_NANOS = 5_000_000;

    private static final long PAUSE_FOR_EACH_NANOS = 1_000;

    /** By so much a node may be behind to which status messages come seldom, since nobody writes or reads. */
    private static final long QUIET_ROOM_MICROS = 2_000_000;

    /** So many partitions more are read one by one for the sake of that. */
    private static final int MOST_FOR_ROOM = 32;

    /** What a wait may take beside the network. */
    private static final long SLACK_MICROS = 20_000;

    private static final class Waiting {
        final Event.ScanStarted scan;
        final long startedNanos;
        long lookedNanos;
        boolean pulled;
        boolean hasUrged;

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
    private final ScanCuts cuts;
    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();
    private final Map<Long, Raising> raising = new LinkedHashMap<>();

    /** A scan that has its cut, and waits for a newer one to be covered. */
    private static final class Raising {
        final Event.ScanRaised wanted;
        final long startedNanos;
        boolean pulled;

        Raising(Event.ScanRaised wanted, long startedNanos) {
            this.wanted = wanted;
            this.startedNanos = startedNanos;
        }
    }

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
        this.cuts = new ScanCuts(statusMap, tables, knowledge);
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
        ScanCuts.Found found = cuts.newest(range, scan.scan.tokenMicros());
        if (found.awaited() != null) {
            scan.awaited = scan.awaited == null ? found.awaited() : scan.awaited;
            return false;
        }
        // From where on other nodes may find a cut: as far back as costs few reads of single partitions.
        ScanCuts.Found kept = scan.scan.shared()
                ? cuts.earlier(
                        range, found, QUIET_ROOM_MICROS, MOST_FOR_ROOM, 2 * delays.longestMicros() + SLACK_MICROS)
                : found;
        Set<PartitionKey> stirred = new LinkedHashSet<>();
        kept.unsettled().forEach(state -> stirred.add(state.key()));
        pins.pin(scan.scan.readId(), range, kept.cutMicros(), stirred, statusMap.load());
        Served served = scan.pulled ? Served.PULLED : scan.awaited != null ? Served.WAITED : Served.LOCAL;
        tell(scan.scan.readId(), found.cutMicros(), served, scan.awaited);
        return true;
    }

    /** The newest cut that is not above this one, of a scan that is shared. */
    void lowered(Event.ScanLowered wanted) {
        Pins.Pin pin = pins.get(wanted.readId());
        if (pin != null) { // else it was told that its cut is gone
            ScanCuts.Found found = cuts.kept(pin, wanted.mostMicros());
            long newest = found.awaited() == null ? found.cutMicros() : Long.MIN_VALUE;
            turn.emit(new Effect.ScanLowered(wanted.readId(), newest));
        }
    }

    private void tell(long readId, long cutMicros, Served served, @Nullable Awaited awaited) {
        long staleMicros = Math.max(0, turn.wallMicros() - cutMicros);
        turn.emit(new Effect.ReadAt(readId, new Effect.ReadInfo(cutMicros, served, staleMicros, awaited), null, true));
    }

    void raised(Event.ScanRaised wanted) {
        Pins.Pin pin = pins.get(wanted.readId());
        if (pin == null) {
            return; // it was told that its cut is gone
        }
        if (turn.tooFarAhead(wanted.cutMicros())) {
            pins.end(wanted.readId());
            fail(wanted.readId(), Effect.Failure.BAD_TOKEN, turn.alarmOfTokenAhead(wanted.cutMicros()));
        } else if (wanted.cutMicros() < pin.cutMicros()) {
            pins.lose(pin, "it was to be read before the cut that is kept");
        } else {
            turn.clock.raise(wanted.cutMicros()); // as a token does
            Raising begun = new Raising(wanted, turn.nanos());
            if (!raise(begun, pin)) {
                raising.put(wanted.readId(), begun);
            }
        }
    }

    /** Whether the cut is covered for all of the range, so that nothing below it is still to come. */
    private boolean raise(Raising scan, Pins.Pin pin) {
        long cutMicros = scan.wanted.cutMicros();
        Standings standings = new Standings(tables, knowledge);
        for (ReplicaGroup group : pin.range.groups()) {
            if (!standings.of(group, pin.range.table()).covers(cutMicros)) {
                return false;
            }
        }
        boolean waited = turn.nanos() != scan.startedNanos;
        pin.raise(cutMicros);
        tell(
                scan.wanted.readId(),
                cutMicros,
                scan.pulled ? Served.PULLED : waited ? Served.WAITED : Served.LOCAL,
                waited ? Awaited.STATUS : null);
        return true;
    }

    private void look(Raising scan) {
        long readId = scan.wanted.readId();
        Pins.Pin pin = pins.get(readId);
        if (pin == null) {
            raising.remove(readId); // it was told so
        } else if (turn.nanos() - scan.wanted.deadlineNanos() >= 0) {
            raising.remove(readId);
            pins.end(readId);
            fail(readId, Effect.Failure.TIMED_OUT, whyNot(pin.range, Awaited.STATUS));
        } else if (raise(scan, pin)) {
            raising.remove(readId);
        } else if (!scan.pulled
                && (turn.nanos() - scan.startedNanos) / 1_000 >= settings.now().pullAfterMicros()) {
            scan.pulled = true;
            pull(pin.range);
        }
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
        raising.remove(readId);
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
        List.copyOf(raising.values()).forEach(this::look);
        for (Waiting scan : List.copyOf(waiting.values())) {
            if (turn.nanos() - scan.scan.deadlineNanos() >= 0) {
                waiting.remove(scan.scan.readId());
                fail(scan.scan, Effect.Failure.TIMED_OUT, whyNot(scan.scan.range(), scan.awaited));
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
            pull(scan.scan.range());
        }
    }

    private void pull(ScanRange range) {
        Set<NodeId> peers = new HashSet<>();
        range.groups().forEach(group -> peers.addAll(group.members()));
        peers.remove(self);
        peers.stream().sorted().forEach(peer -> turn.send(peer, new Message.Pull(turn.tick())));
    }

    private String whyNot(ScanRange range, @Nullable Awaited awaited) {
        for (ReplicaGroup group : range.groups()) {
            String notReady = tables.notReady(range.table(), group);
            String leftBehind = notReady == null ? knowledge.whyLeftBehind(group) : notReady;
            if (leftBehind != null) {
                return leftBehind;
            }
        }
        return awaited == Awaited.STATUS
                ? "too few replicas have sent status messages as new as the session needs"
                : "writes of the scanned partitions stayed undecided, or could not be kept apart: deletions of whole"
                        + " partitions or of ranges are in flight, or a replica that may have applied them is not heard";
    }

    private void fail(Event.ScanStarted scan, Effect.Failure failure, String detail) {
        fail(scan.readId(), failure, detail);
    }

    private void fail(long readId, Effect.Failure failure, String detail) {
        turn.emit(new Effect.ReadFailed(readId, failure, detail));
    }

    @Nullable
    String whyWaits(long readId) {
        Waiting scan = waiting.get(readId);
        return scan == null ? null : whyNot(scan.scan.range(), scan.awaited);
    }

    int waitingCount() {
        return waiting.size() + raising.size();
    }
}
