/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the peers that were left behind lack something: of each table the {@linkplain Placement#bucketOf buckets} in
 * which this node has retired a mutation without them. So what is compared when they come back is in proportion to what
 * they missed. It is in memory only, and of the names that a table had when the peer was left behind: what is not known
 * here may be anywhere.
 */
final class Missed {
    /** Peers times tables. Each takes 2 KB at most. */
    static final int MOST = 1_024;

    private final Map<NodeId, Map<UUID, BitSet>> buckets = new HashMap<>();

    /** The peer is left behind, and lacks nothing yet of any of these tables. */
    void begin(NodeId peer, Collection<UUID> tables) {
        Map<UUID, BitSet> begun = buckets.computeIfAbsent(peer, p -> new HashMap<>());
        int kept = buckets.values().stream().mapToInt(Map::size).sum();
        for (UUID table : tables) {
            if (kept < MOST && begun.putIfAbsent(table, new BitSet()) == null) {
                kept++;
            }
        }
    }

    /** Something of this bucket is retired without the peer; a negative one may be any. */
    void add(NodeId peer, UUID table, int bucket) {
        Map<UUID, BitSet> begun = buckets.getOrDefault(peer, Map.of());
        if (bucket < 0) {
            begun.remove(table);
            return;
        }
        BitSet missed = begun.get(table);
        if (missed != null) {
            missed.set(bucket);
        }
    }

    /** It has got all of that. */
    void end(NodeId peer) {
        buckets.remove(peer);
    }

    /** The table has gone, or goes by another name. */
    void forget(UUID table) {
        buckets.values().forEach(each -> each.remove(table));
    }

    /** The buckets in which the peer lacks something; null where it may do so in all. */
    @Nullable
    BitSet of(NodeId peer, UUID table) {
        BitSet missed = buckets.getOrDefault(peer, Map.of()).get(table);
        return missed == null ? null : (BitSet) missed.clone();
    }

    long heldBytes() {
        return buckets.values().stream()
                .flatMap(each -> each.values().stream())
                .mapToLong(missed -> Footprint.REMEMBERED + missed.size() / 8)
                .sum();
    }
}
