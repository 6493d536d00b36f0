/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The latest that the peers' physical clocks may show, told by this node's elapsed clock: for the modes that promise an
 * age, where this node's own physical clock may be behind, have jumped back, or stand still.
 *
 * <p>A status message shows the sender's clock and ends a round trip. When it arrives, that clock shows no more than
 * what is in the message and the whole round trip; that is certain whatever the ways are like. Once round trips are
 * known, half of the shortest one is taken off. Of all messages the one with the shortest way to the peer says most, so
 * its word stands until another one says less, or one shows that the peer's clock has gone ahead of it since; meanwhile
 * it loses a thousandth of the time that passes, since clocks drift.
 *
 * <p>Off by what is assumed: half of the difference between the two ways where nothing queues, and half of what the
 * shortest round trip seen is longer than the shortest there is.
 */
final class PeerClocks {
    /** What clocks may gain on each other is one part in this many. */
    private static final long DRIFT_PARTS = 1_000;

    private static final class Peer {
        final ShortestTrip shortest = new ShortestTrip();
        long heardNanos;

        /**
         * The peer's clock shows at most this more than this node's elapsed one; meaningful once something was heard.
         */
        long aheadMicros;

        boolean known;

        long aheadAtMicros(long elapsedMicros) {
            return aheadMicros + Math.max(0, elapsedMicros - heardNanos / 1_000) / DRIFT_PARTS;
        }
    }

    private final LiveSettings settings;
    private final Map<NodeId, Peer> peers = new HashMap<>();

    PeerClocks(LiveSettings settings) {
        this.settings = settings;
    }

    /**
     * A status message came.
     *
     * @param sentWallMicros the sender's physical clock when it sent it
     * @param now this node's; its physical clock is not looked at
     */
    void heard(NodeId id, long sentWallMicros, long roundTripMicros, Now now) {
        if (!settings.now().watchClocks()) {
            return;
        }
        Peer peer = peers.computeIfAbsent(id, unknown -> new Peer());
        peer.shortest.heard(roundTripMicros, now.elapsedNanos());
        long elapsedMicros = now.elapsedNanos() / 1_000;
        long leastMicros = sentWallMicros - elapsedMicros;
        long mostMicros = leastMicros + roundTripMicros;
        long beforeMicros = peer.aheadAtMicros(elapsedMicros);
        boolean wentAhead = leastMicros + peer.shortest.micros() > beforeMicros;
        peer.aheadMicros = !peer.known || wentAhead ? mostMicros : Math.min(beforeMicros, mostMicros);
        peer.heardNanos = now.elapsedNanos();
        peer.known = true;
    }

    /**
     * Whether so many of these nodes' clocks were heard of in this life. Before that nothing is known of how far behind
     * this node's is.
     */
    boolean areKnown(ReplicaGroup group, int atLeast) {
        int known = 0;
        for (NodeId member : group.members()) {
            known += peers.containsKey(member) ? 1 : 0;
        }
        return known >= atLeast || !settings.now().watchClocks();
    }

    /**
     * What no clock may be behind by the rules of ε: the latest of these nodes' clocks, as they were at that time, less
     * three quarters of ε; {@link Long#MIN_VALUE} where none is known. Silent ones count only where fewer than
     * {@code atLeast} are heard: what a node in repair once showed must not make reads wait, but one that is cut off
     * itself has no better word.
     *
     * @param atNanos in elapsed time, not after {@code nowNanos}
     */
    long atLeastMicros(ReplicaGroup group, int atLeast, long atNanos, long nowNanos) {
        if (!settings.now().watchClocks()) {
            return Long.MIN_VALUE;
        }
        int heard = 0;
        long latestHeard = Long.MIN_VALUE;
        long latest = Long.MIN_VALUE;
        for (NodeId member : group.members()) {
            Peer peer = peers.get(member);
            if (peer != null) {
                long showsMicros = showsMicros(peer, atNanos / 1_000);
                latest = Math.max(latest, showsMicros);
                if (nowNanos - peer.heardNanos <= 2_000 * settings.now().streamTimeoutMicros()) {
                    heard++;
                    latestHeard = Math.max(latestHeard, showsMicros);
                }
            }
        }
        long counted = heard >= atLeast ? latestHeard : latest;
        return counted == Long.MIN_VALUE
                ? counted
                : counted - Math.round(SkewWatch.NEAR * settings.now().clockErrorMicros());
    }

    private static long showsMicros(Peer peer, long atMicros) {
        long sureMicros = atMicros + peer.aheadAtMicros(atMicros);
        return peer.shortest.isLearned() ? sureMicros - peer.shortest.micros() / 2 : sureMicros;
    }

    void retain(Set<NodeId> members) {
        peers.keySet().retainAll(members);
    }
}
