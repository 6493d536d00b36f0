/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.protocol.NodeId;

/**
 * Knows second copies of parcels, which are sent twice so that a loss holds nobody up. A copy that is taken for new
 * does no harm, and the other way round neither: the core bears both. Thread-safe.
 */
final class Copies {
    /** Parcels back from the newest of which it is remembered whether they have come. */
    private static final int WINDOW = 1_024;

    private static final class Seen {
        private long life;
        private final long[] numbers = new long[WINDOW];

        synchronized boolean isFirst(long ofLife, long number) {
            if (ofLife != life) {
                life = ofLife;
                java.util.Arrays.fill(numbers, -1);
            }
            int place = (int) (number % WINDOW);
            if (numbers[place] >= number) {
                return false; // come before, or so late that nobody waits for it
            }
            numbers[place] = number;
            return true;
        }
    }

    private final Map<NodeId, Seen> byNode = new ConcurrentHashMap<>();

    boolean isFirst(NodeId from, long life, long number) {
        return byNode.computeIfAbsent(from, node -> new Seen()).isFirst(life, number);
    }
}
