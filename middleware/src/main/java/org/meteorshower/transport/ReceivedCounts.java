/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.protocol.NodeId;

/** Messages and parcels that came from each peer, frames included. Counts as long as the peer is known. Thread-safe. */
final class ReceivedCounts {
    private static final class Count {
        final LongAdder messages = new LongAdder();
        final LongAdder bytes = new LongAdder();
    }

    private final Map<NodeId, Count> counts = new ConcurrentHashMap<>();

    void add(NodeId from, int contentBytes) {
        Count count = counts.get(from);
        if (count == null) {
            count = counts.computeIfAbsent(from, peer -> new Count());
        }
        count.messages.increment();
        count.bytes.add(contentBytes + FrameSeal.OVERHEAD_BYTES);
    }

    void forget(NodeId peer) {
        counts.remove(peer);
    }

    Map<NodeId, PeerTraffic> all() {
        Map<NodeId, PeerTraffic> all = new HashMap<>();
        counts.forEach((peer, count) -> all.put(peer, new PeerTraffic(count.messages.sum(), count.bytes.sum())));
        return all;
    }

    Iterable<NodeId> peers() {
        return counts.keySet();
    }
}
