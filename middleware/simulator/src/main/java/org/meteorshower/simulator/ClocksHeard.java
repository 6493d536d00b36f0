/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/**
 * What one node has heard of the others' physical clocks, with the true time at which they showed it: what the age of
 * its answers is measured by. It shares nothing with the core's own estimate, which knows round trips alone.
 */
final class ClocksHeard {
    /**
     * How long a peer counts as heard, and how long the least that it showed counts: a jump ahead may be taken for a
     * queue so long.
     */
    private static final long WINDOW_MICROS = 4_000_000;

    /** A message that showed a clock {@code aheadMicros} ahead of true time. */
    private record Showed(long heardMicros, long sentMicros, long aheadMicros) {}

    private final Map<NodeId, Deque<Showed>> byPeer = new HashMap<>();

    private final Map<NodeId, Long> asked = new HashMap<>();
    private long incarnation;

    /** A new life knows nothing, and what comes for an earlier one tells it nothing. */
    void begin(long newIncarnation) {
        incarnation = newIncarnation;
        byPeer.clear();
        asked.clear();
    }

    /** What comes of an earlier stream than the last that was asked for is not listened to. */
    void sent(NodeId to, Message message) {
        if (message instanceof Message.Subscribe request) {
            asked.put(to, request.number());
        }
    }

    /** @param nowMicros true time */
    void heard(NodeId from, Message message, long nowMicros) {
        if (!(message instanceof Message.StatusMessage status)
                || status.stream().receiverIncarnation() != incarnation
                || status.stream().number() != asked.getOrDefault(from, -1L)
                || status.echo().echoedNanos() == 0) {
            return; // shows no clock, or ends no round trip
        }
        long sentMicros = status.echo().sentNanos() / 1_000;
        Deque<Showed> showed = byPeer.computeIfAbsent(from, peer -> new ArrayDeque<>());
        Showed last = showed.peekLast();
        if (last == null || sentMicros > last.sentMicros) {
            long aheadMicros = status.echo().sentWallMicros() - SimulatedNode.EPOCH_MICROS - sentMicros;
            showed.addLast(new Showed(nowMicros, sentMicros, aheadMicros));
        }
        while (!showed.isEmpty() && showed.getFirst().heardMicros < nowMicros - WINDOW_MICROS) {
            showed.removeFirst();
        }
    }

    /**
     * The latest of these nodes' clocks, going by what they showed last; {@link Long#MIN_VALUE} where none is heard.
     */
    long latestMicros(Collection<NodeId> nodes, long nowMicros) {
        long latest = Long.MIN_VALUE;
        for (NodeId node : nodes) {
            long least = Long.MAX_VALUE;
            for (Showed showed : byPeer.getOrDefault(node, new ArrayDeque<>())) {
                if (showed.heardMicros >= nowMicros - WINDOW_MICROS) {
                    least = Math.min(least, showed.aheadMicros);
                }
            }
            if (least != Long.MAX_VALUE) {
                latest = Math.max(latest, SimulatedNode.EPOCH_MICROS + nowMicros + least);
            }
        }
        return latest;
    }
}
