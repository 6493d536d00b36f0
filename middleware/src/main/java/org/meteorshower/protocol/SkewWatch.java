/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches how the peers' physical clocks differ from this node's, and says when {@code strict} must not be given: its
 * condition, clocks within ε, is then broken or soon will be.
 *
 * <p>Each status message shows the sender's clock, and the round trip that it ends. Half the round trip is taken for
 * its way; what the round trip is longer than the shortest one lately is time in queues, on either way, and so an error
 * of the estimate of up to half of it. A few samples in a row that are too large by more than their error show that
 * clocks differ, and from the first of them on strict answers wait; for strict to be given again no such sample may
 * come for a while. Assumed: the two ways differ little in length when nothing queues. Half of their difference is
 * taken for a difference of the clocks, or hides one; no exchange of messages can tell.
 */
final class SkewWatch {
    /** Strict is withdrawn at this part of ε, so that a drifting clock has not broken the condition yet. */
    static final double NEAR = 0.75;

    /** And is given again below this one. */
    private static final double WELL = 0.5;

    /** Once the clocks agree, strict is given again after so long. */
    static final long WELL_FOR_NANOS = 10_000_000_000L;

    /** One sample can be wrong: the shortest round trip so far is not the shortest there is. */
    private static final int CERTAIN_AFTER = 3;

    private static final class Peer {
        final ShortestTrip shortest = new ShortestTrip();
        long heardNanos;
        long comparedNanos = Long.MIN_VALUE;
        int suspicions;
        boolean apart;
        long illNanos;
        long shownMicros;
    }

    private final LiveSettings settings;
    private final Map<NodeId, Peer> peers = new HashMap<>();

    SkewWatch(LiveSettings settings) {
        this.settings = settings;
    }

    /**
     * A status message came.
     *
     * @param sentWallMicros the sender's physical clock when it sent it
     * @param now this node's
     * @return what an operator is to be told: strict is not given any more; null where nothing changed for the worse
     */
    @Nullable
    String heard(NodeId id, long sentWallMicros, long roundTripMicros, Now now) {
        if (!settings.now().watchClocks()) {
            return null;
        }
        Peer peer = peers.computeIfAbsent(id, unknown -> new Peer());
        peer.shortest.heard(roundTripMicros, now.elapsedNanos());
        long errorMicros = (roundTripMicros - peer.shortest.micros()) / 2;
        peer.heardNanos = now.elapsedNanos();
        if (!peer.shortest.isLearned()) {
            return null;
        }
        long offsetMicros = sentWallMicros + roundTripMicros / 2 - now.wallMicros();
        long sizeMicros = Math.abs(offsetMicros);
        long epsilonMicros = settings.now().clockErrorMicros();
        boolean near = sizeMicros - errorMicros > NEAR * epsilonMicros;
        if (near) {
            peer.suspicions++;
            peer.shownMicros = offsetMicros;
        } else {
            peer.suspicions = 0;
            peer.comparedNanos = now.elapsedNanos();
        }
        if (near || (peer.apart && sizeMicros - errorMicros > WELL * epsilonMicros)) {
            peer.illNanos = now.elapsedNanos();
        }
        if (!near && peer.apart && sizeMicros + errorMicros <= WELL * epsilonMicros) {
            peer.apart = now.elapsedNanos() - peer.illNanos < WELL_FOR_NANOS;
        } else if (!peer.apart && peer.suspicions >= CERTAIN_AFTER) {
            peer.apart = true;
            return text(id, peer);
        }
        return null;
    }

    /** Why strict is not given among these nodes, or null where it is. */
    @Nullable
    String obstacle(ReplicaGroup group, long nowNanos) {
        for (NodeId member : group.members()) {
            Peer peer = peers.get(member);
            if (peer != null && stands(peer, nowNanos)) {
                return text(member, peer);
            }
        }
        return null;
    }

    /** The same among all peers. */
    @Nullable
    String obstacle(long nowNanos) {
        for (Map.Entry<NodeId, Peer> peer : peers.entrySet()) {
            if (stands(peer.getValue(), nowNanos)) {
                return text(peer.getKey(), peer.getValue());
            }
        }
        return null;
    }

    private boolean stands(Peer peer, long nowNanos) {
        return settings.now().watchClocks() && peer.apart && isHeard(peer, nowNanos);
    }

    /**
     * One that is silent may be down for the repair of its clock. Where it is only cut off, it judges itself by those
     * it hears.
     */
    private boolean isHeard(Peer peer, long nowNanos) {
        return nowNanos - peer.heardNanos <= 2_000 * settings.now().streamTimeoutMicros();
    }

    /**
     * Whether clocks were compared since then, with so many of these nodes, or with all that are heard, and none is
     * under suspicion: what this node's clock did before is known then, also a jump.
     */
    boolean isComparedSince(long sinceNanos, ReplicaGroup group, int atLeast, long nowNanos) {
        int heard = 0;
        int compared = 0;
        for (NodeId member : group.members()) {
            Peer peer = peers.get(member);
            if (peer != null && isHeard(peer, nowNanos)) {
                if (peer.suspicions > 0 && settings.now().watchClocks()) {
                    return false;
                }
                heard++;
                compared += peer.comparedNanos > sinceNanos ? 1 : 0;
            }
        }
        return !settings.now().watchClocks() || compared >= Math.min(heard, Math.max(1, atLeast));
    }

    private String text(NodeId id, Peer peer) {
        long epsilonMicros = settings.now().clockErrorMicros();
        return "the clock of " + id + " seems " + millis(Math.abs(peer.shownMicros)) + " ms "
                + (peer.shownMicros > 0 ? "ahead of" : "behind")
                + " this node's, and strict is given only while clocks stay within "
                + millis(Math.round(NEAR * epsilonMicros)) + " ms of each other, three quarters of clock_error_ms ("
                + millis(epsilonMicros)
                + " ms): set both clocks right (chrony or NTP), or raise clock_error_ms at all nodes where the ways between them differ"
                + " in length; strict is given again " + WELL_FOR_NANOS / 1_000_000_000L
                + " s after they agree; meanwhile the other modes are given, and bounded reads wait for the clock that is ahead";
    }

    private static String millis(long micros) {
        return Double.toString(micros / 1_000.0);
    }

    void retain(Set<NodeId> members) {
        peers.keySet().retainAll(members);
    }
}
