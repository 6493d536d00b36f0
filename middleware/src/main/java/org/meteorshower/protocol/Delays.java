/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of the one-way delay to each peer, half of the round trip that the echoes in status messages show. They
 * serve speed alone: a wrong estimate makes reads wait or answers older, never wrong.
 */
final class Delays {
    private static final long MAX_ONE_WAY_MICROS = 2_000_000;
    private static final long JUMP_MICROS = 100_000;

    /**
     * The lead ends a little before the w-th replica gets the mutation: its clock is past the timestamp then, and the
     * status message that comes with its acknowledgement covers its stamp. Else the session's next read waits for the
     * one after it.
     */
    private static final long LEAD_MARGIN_MICROS = 1_000;

    private static final class Link {
        long oneWayMicros;
        boolean measured;
        long peerSentNanos;
        long heardNanos;
        long skewMicros;
    }

    private final Map<NodeId, Link> links = new HashMap<>();

    /** @return the round trip that the message ends, in microseconds; -1 where it tells none that can be believed */
    long heard(NodeId peer, Message.Echo echo, Now now) {
        Link link = links.computeIfAbsent(peer, p -> new Link());
        link.peerSentNanos = echo.sentNanos();
        link.heardNanos = now.elapsedNanos();
        if (echo.echoedNanos() == 0) {
            return -1;
        }
        long roundTripNanos = now.elapsedNanos() - echo.echoedNanos() - Math.max(0, echo.heldNanos());
        long oneWayMicros = roundTripNanos / 2_000;
        if (oneWayMicros < 0 || oneWayMicros > MAX_ONE_WAY_MICROS) {
            return -1;
        }
        // A shorter trip is believed sooner than a longer one: queues only ever add.
        long weight = !link.measured ? 1 : oneWayMicros < link.oneWayMicros ? 4 : 16;
        link.oneWayMicros += (oneWayMicros - link.oneWayMicros) / weight;
        long skewMicros = echo.sentWallMicros() + link.oneWayMicros - now.wallMicros();
        // One message that was held up shows a clock that is behind; a clock that jumped shows at once.
        boolean jumped = Math.abs(skewMicros - link.skewMicros) > JUMP_MICROS;
        link.skewMicros = !link.measured || jumped ? skewMicros : link.skewMicros + (skewMicros - link.skewMicros) / 8;
        link.measured = true;
        return roundTripNanos / 1_000;
    }

    Message.Echo echoFor(NodeId peer, Now now) {
        Link link = links.get(peer);
        return link == null
                ? new Message.Echo(now.elapsedNanos(), 0, 0, now.wallMicros())
                : new Message.Echo(
                        now.elapsedNanos(), link.peerSentNanos, now.elapsedNanos() - link.heardNanos, now.wallMicros());
    }

    long oneWayMicros(NodeId peer) {
        Link link = links.get(peer);
        return link == null ? 0 : link.oneWayMicros;
    }

    /** How far the peer's physical clock seems ahead of this node's; null before it was measured. */
    @Nullable
    Long skewMicros(NodeId peer) {
        Link link = links.get(peer);
        return link == null || !link.measured ? null : link.skewMicros;
    }

    long longestMicros() {
        long longest = 0;
        for (Link link : links.values()) {
            longest = Math.max(longest, link.oneWayMicros);
        }
        return longest;
    }

    /** The one-way delay to the k-th nearest member of the group, k counted from 1; {@code self} is at 0. */
    long toNearestMicros(ReplicaGroup group, NodeId self, int k) {
        long[] delays = new long[group.size()];
        for (int i = 0; i < delays.length; i++) {
            NodeId member = group.members().get(i);
            delays[i] = member.equals(self) ? 0 : oneWayMicros(member);
        }
        return Order.smallest(delays, k);
    }

    /**
     * When a message sent now reaches the k-th of the group to get it, by its receiver's clock and as seen from this
     * node's: a receiver whose clock is behind is taken to be nearer. Where the two ways differ, delay and skew are
     * each off by as much, in opposite directions.
     */
    long toArrivalMicros(ReplicaGroup group, NodeId self, int k) {
        long[] arrivals = new long[group.size()];
        for (int i = 0; i < arrivals.length; i++) {
            NodeId member = group.members().get(i);
            arrivals[i] = member.equals(self) ? 0 : toArrivalMicros(member);
        }
        return Order.smallest(arrivals, k);
    }

    private long toArrivalMicros(NodeId peer) {
        Link link = links.get(peer);
        return link == null ? 0 : Math.max(0, link.oneWayMicros + Math.min(0, link.skewMicros));
    }

    /**
     * By how much a write that begins now leads: until w of the group have it.
     *
     * @param isAwaited who is waited for in any case
     */
    long leadMicros(ReplicaGroup group, NodeId self, Predicate<NodeId> isAwaited) {
        long lead = toArrivalMicros(group, self, group.writeQuorum());
        for (NodeId member : group.members()) {
            if (!member.equals(self) && isAwaited.test(member)) {
                lead = Math.max(lead, toArrivalMicros(member));
            }
        }
        return Math.max(0, lead - LEAD_MARGIN_MICROS);
    }

    void forget(NodeId peer) {
        links.remove(peer);
    }
}
