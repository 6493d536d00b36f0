/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who is waited for by writes of tables with strict reads at home (docs/ARCHITECTURE.md, "Strict at home"). A replica
 * that has promised another one counts no mutation as complete ({@link Completeness}) that the other one has not
 * pledged; who has promises of r replicas, its own included, <i>holds</i>: every complete mutation is known to it.
 * Promises last for some elapsed time, counted by the holder from when it sent what is answered, and by who promised
 * from when that came. So clocks may show anything; only their rates must differ by less than {@link #RATES_APART}.
 */
final class Leases {
    /** How long a promise lasts. */
    static final long PROMISED_MICROS = 600_000;

    /** Nobody promises for longer. */
    private static final long MOST_MICROS = 10_000_000;

    /** Two clocks' rates may differ by this part. */
    private static final double RATES_APART = 0.02;

    /** Who promised keeps to it for so long. */
    static final long KEPT_NANOS = (long) (1_000 * PROMISED_MICROS * (1 + RATES_APART));

    /**
     * In addition to a round trip: what a holder that is heard may take to stamp what others have. A collector's pause
     * of 300 ms costs nobody its promises; with what is left of these a write is held up for about a second.
     */
    private static final long LATE_MICROS = 350_000;

    private static final long LEAST_PAUSE_NANOS = 1_000_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    /** Who has kept up for so long since it was promised something again counts as well. */
    private static final long WELL_NANOS = 10_000_000_000L;

    /** What is between this node and one peer. */
    private static final class Peer {
        /** This node counts the peer's promise for these tables until then. */
        final long[] heldUntilNanos = TableStripes.never();

        /** This node keeps its promise to the peer for these tables until then. */
        final long[] promisedUntilNanos = TableStripes.never();

        /** When the peer sent its last wish, by its own clock, in the life that its stream is from. */
        long wishedNanos;

        long wishedLife;
        /** For which tables. */
        long wishes;

        long wishHeardNanos;

        /** Whom the peer has promised, as of its newest status message; null while that is unknown: then it is all. */
        @Nullable
        Map<NodeId, Long> promised;

        /** Whether it lacks what others have had for long, although it is heard. */
        boolean lags;

        /** No promise before then. */
        long notBeforeNanos = Long.MIN_VALUE / 2;

        /** How often the peer has promised something, and how often a promise to it has run out. */
        long heldCount;

        long lapses;

        long pauseNanos = LEAST_PAUSE_NANOS;
    }

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final Delays delays;
    private final LeftBehind leftBehind;
    private final MessageReceiver receiver;
    private final Predicate<NodeId> goesByTheSame;
    private final Map<NodeId, Peer> peers = new HashMap<>();
    private Set<NodeId> lagging = new HashSet<>();

    /** The tables that clients here have used, and when last. */
    private long used = TableStripes.NONE;

    private final long[] usedNanos = TableStripes.never();
    private long startedNanos = Long.MIN_VALUE;

    /** Whether a promise has run out since this was last asked. */
    private boolean struckOff;

    /**
     * @param goesByTheSame whether a node goes by the names of tables that this one goes by. One that does not may read
     *     under an earlier name, of which this node tells nothing any more
     */
    Leases(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            Delays delays,
            LeftBehind leftBehind,
            MessageReceiver receiver,
            Predicate<NodeId> goesByTheSame) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.delays = delays;
        this.leftBehind = leftBehind;
        this.receiver = receiver;
        this.goesByTheSame = goesByTheSame;
    }

    private Peer peer(NodeId node) {
        return peers.computeIfAbsent(node, each -> new Peer());
    }

    NodeId self() {
        return self;
    }

    /** A client here uses the table: this node asks for promises for it from now on. */
    void used(UUID table) {
        used |= TableStripes.of(table);
        usedNanos[TableStripes.indexOf(table)] = turn.nanos();
    }

    /** For which tables this node asks for promises. */
    private long wished() {
        long idleNanos = 1_000 * settings.now().leaseIdleMicros();
        if (used == TableStripes.NONE || idleNanos == 0) {
            return used;
        }
        for (int i = 0; i < usedNanos.length; i++) {
            if ((used & 1L << i) != 0 && turn.nanos() - usedNanos[i] >= idleNanos) {
                used &= ~(1L << i);
            }
        }
        return used;
    }

    // --- promised by others ----------------------------------------------------------------------------------------

    /** Whether this node knows every mutation of the group's partitions in the table that is complete anywhere. */
    boolean holds(ReplicaGroup group, UUID table) {
        return heldUntilNanos(group, table) > turn.nanos();
    }

    /** Until when it does, by the promises that it has; {@link Long#MIN_VALUE} where these were never enough. */
    long heldUntilNanos(ReplicaGroup group, UUID table) {
        int index = TableStripes.indexOf(table);
        long[] until = new long[group.size()];
        for (int i = 0; i < until.length; i++) {
            NodeId member = group.members().get(i);
            Peer peer = peers.get(member);
            until[i] =
                    member.equals(self) ? Long.MAX_VALUE : peer == null ? Long.MIN_VALUE : peer.heldUntilNanos[index];
        }
        return group.contains(self) ? Order.largest(until, group.readQuorum()) : Long.MIN_VALUE;
    }

    /** A status message of the peer's, and all that its stream tells before it. */
    void heard(NodeId from, Message.StatusMessage message) {
        Message.Lease lease = message.lease();
        boolean says = lease.wished() != TableStripes.NONE || lease.forMicros() > 0;
        if (message.msgTsMicros() == 0 || (!says && used == TableStripes.NONE && !peers.containsKey(from))) {
            return; // more follows; or neither of the two uses any of this
        }
        Peer peer = peer(from);
        peer.wishes = lease.wished();
        peer.wishedNanos = message.echo().sentNanos();
        peer.wishedLife = message.stream().senderIncarnation();
        peer.wishHeardNanos = turn.nanos();
        peer.promised = lease.promised();
        boolean believable = lease.forMicros() <= MOST_MICROS && lease.countedFromNanos() <= turn.nanos();
        if (lease.forMicros() > 0 && believable) {
            peer.heldCount++;
            TableStripes.raise(
                    peer.heldUntilNanos, lease.tables(), lease.countedFromNanos() + 1_000 * lease.forMicros());
        }
    }

    /** A new stream of the peer's begins: whom it has promised is not known until its first message. */
    void beginsAnew(NodeId from) {
        Peer peer = peers.get(from);
        if (peer != null) {
            peer.promised = null;
        }
    }

    // --- promised by this node -------------------------------------------------------------------------------------

    /**
     * What a status message to the peer says, which tells all that this node has stamped.
     *
     * @param life the peer's, that the stream is for
     */
    Message.Lease tell(NodeId to, long life) {
        Peer peer = peers.get(to);
        boolean grants = peer != null && mayPromise(to, peer, life);
        long fromNanos = 0;
        long tables = TableStripes.NONE;
        if (peer != null && grants) {
            tables = peer.wishes;
            TableStripes.raise(peer.promisedUntilNanos, tables, peer.wishHeardNanos + keptNanos());
            fromNanos = peer.wishedNanos;
        }
        Map<NodeId, Long> promised = promised();
        return !grants && promised.isEmpty() && wished() == TableStripes.NONE
                ? Message.Lease.NONE
                : new Message.Lease(wished(), grants ? PROMISED_MICROS : 0, fromNanos, tables, promised);
    }

    /** Who promised counts by a clock that may be the faster one. */
    private static long keptNanos() {
        return KEPT_NANOS;
    }

    /** Whether it is the peer's present life that asks: what an earlier one sent tells nothing of this one's clock. */
    private static boolean isAskedBy(Peer peer, long life) {
        return peer.wishes != TableStripes.NONE && peer.wishedLife == life;
    }

    private boolean mayPromise(NodeId to, Peer peer, long life) {
        return isAskedBy(peer, life)
                && turn.nanos() - peer.wishHeardNanos < 1_000 * PROMISED_MICROS
                && turn.nanos() >= peer.notBeforeNanos
                && !peer.lags
                && goesByTheSame.test(to)
                && !leftBehind.notAwaited().contains(to);
    }

    /** Whom this node has promised. In a new life it may have promised anybody, in the one before. */
    private Map<NodeId, Long> promised() {
        if (startedNanos == Long.MIN_VALUE) {
            startedNanos = turn.nanos();
        }
        boolean isAnybody = mayHavePromisedAnybody();
        if (peers.isEmpty() && !isAnybody) {
            return Map.of();
        }
        Map<NodeId, Long> promised = new HashMap<>();
        for (NodeId node : receiver.peers()) {
            Peer peer = peers.get(node);
            long tables = isAnybody
                    ? TableStripes.ALL
                    : peer == null ? TableStripes.NONE : TableStripes.after(peer.promisedUntilNanos, turn.nanos());
            if (tables != TableStripes.NONE) {
                promised.put(node, tables);
            }
        }
        return promised;
    }

    /** Whom the node, which may be this one, has promised what; null while that is not known: then it is all. */
    @Nullable
    Map<NodeId, Long> promisedBy(NodeId member) {
        if (member.equals(self)) {
            return promised();
        }
        Peer peer = peers.get(member);
        return peer == null ? null : peer.promised;
    }

    /** Who is waited for by writes into the table, where these wait for anybody in particular. */
    Predicate<NodeId> awaited(ReplicaGroup group, UUID table) {
        return group.strictAtHome() ? node -> isPromised(node, table) : node -> false;
    }

    /** Whether anybody, as far as this node has heard, has promised the node something for the table. */
    private boolean isPromised(NodeId node, UUID table) {
        Peer mine = peers.get(node);
        long tables = mine == null ? TableStripes.NONE : TableStripes.after(mine.promisedUntilNanos, turn.nanos());
        for (Peer peer : peers.values()) {
            tables |= peer.promised == null ? TableStripes.NONE : peer.promised.getOrDefault(node, TableStripes.NONE);
        }
        return (tables & TableStripes.of(table)) != TableStripes.NONE;
    }

    private boolean mayHavePromisedAnybody() {
        return turn.nanos() - startedNanos < KEPT_NANOS;
    }

    // --- who lags --------------------------------------------------------------------------------------------------

    /** A record that is looked at: who lacks what this node has had for long is not promised anything. */
    void look(MutationRecord record) {
        if (!record.group().strictAtHome()) {
            return;
        }
        long ageMicros = (turn.nanos() - record.createdNanos) / 1_000 - 2 * delays.longestMicros();
        if (ageMicros < LATE_MICROS || !record.isAppliedAt(record.group().indexOf(self))) {
            return;
        }
        for (int i = 0; i < record.group().size(); i++) {
            if (!record.isAppliedAt(i)) {
                lagging.add(record.group().members().get(i));
            }
        }
    }

    /** All records have been looked at. Returns whether somebody is not promised any more since the last round. */
    boolean round() {
        for (Map.Entry<NodeId, Peer> each : peers.entrySet()) {
            Peer peer = each.getValue();
            boolean lags = lagging.contains(each.getKey());
            if (lags && !peer.lags) {
                pause(peer);
            } else if (!lags && turn.nanos() - peer.notBeforeNanos > WELL_NANOS) {
                peer.pauseNanos = LEAST_PAUSE_NANOS;
            }
            peer.lags = lags;
            if (haveSomeRunOut(peer)) {
                peer.lapses++;
                struckOff = true;
            }
        }
        lagging = new HashSet<>();
        boolean told = struckOff;
        struckOff = false;
        return told;
    }

    private boolean haveSomeRunOut(Peer peer) {
        boolean some = false;
        for (int i = 0; i < TableStripes.COUNT; i++) {
            if (peer.promisedUntilNanos[i] != Long.MIN_VALUE && peer.promisedUntilNanos[i] <= turn.nanos()) {
                peer.promisedUntilNanos[i] = Long.MIN_VALUE;
                some = true;
            }
        }
        return some;
    }

    /** Longer each time that it has held writers up. */
    private void pause(Peer peer) {
        if (TableStripes.after(peer.promisedUntilNanos, turn.nanos()) != TableStripes.NONE) {
            peer.notBeforeNanos = turn.nanos() + peer.pauseNanos;
            peer.pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * peer.pauseNanos);
        } else {
            peer.notBeforeNanos = Math.max(peer.notBeforeNanos, turn.nanos() + LEAST_PAUSE_NANOS);
        }
    }

    /** What is promised between this node and each peer that has spoken of it, for people. */
    List<CoreView.Lease> leases() {
        List<CoreView.Lease> leases = new ArrayList<>();
        peers.forEach((node, peer) -> leases.add(new CoreView.Lease(
                node,
                leftMicros(peer.heldUntilNanos),
                leftMicros(peer.promisedUntilNanos),
                peer.wishes != TableStripes.NONE,
                peer.lags,
                peer.heldCount,
                peer.lapses)));
        return leases;
    }

    /** Of any table. */
    private long leftMicros(long[] untilNanos) {
        long latest = Arrays.stream(untilNanos).max().orElse(Long.MIN_VALUE);
        return latest <= turn.nanos() ? 0 : (latest - turn.nanos()) / 1_000;
    }

    /** Why this node does not hold, for people. */
    String whyNot(ReplicaGroup group, UUID table) {
        List<NodeId> missing = new ArrayList<>();
        for (NodeId member : group.members()) {
            Peer peer = peers.get(member);
            if (!member.equals(self)
                    && (peer == null || peer.heldUntilNanos[TableStripes.indexOf(table)] <= turn.nanos())) {
                missing.add(member);
            }
        }
        return "this node holds no lease: it needs the promises of " + (group.readQuorum() - 1)
                + " other replicas, and has none of " + missing;
    }
}
