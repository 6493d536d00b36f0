/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * Which node runs each data centre's process, as the nodes say themselves from time to time. Who is believed matters
 * for speed only: the fence decides. Thread-safe.
 */
final class Representatives {
    /** @param life of the process; the youngest one is believed */
    record Heard(NodeId node, long life, long nanos) {}

    private static final long BELIEVED_NANOS = 2_000_000_000L;

    private final AtomicReferenceArray<Heard> byDc;

    Representatives(int dcs) {
        byDc = new AtomicReferenceArray<>(dcs);
    }

    void heard(int dc, NodeId node, long life) {
        Heard heard = new Heard(node, life, System.nanoTime());
        byDc.accumulateAndGet(
                dc, heard, (known, told) -> known == null || told.life >= known.life || isOld(known) ? told : known);
    }

    /** It does not any more. */
    void left(int dc, NodeId node, long life) {
        Heard known = byDc.get(dc);
        if (known != null && known.node.equals(node) && known.life <= life) {
            byDc.compareAndSet(dc, known, null);
        }
    }

    /** Null where nobody has been heard of lately. */
    @Nullable
    Heard of(int dc) {
        Heard known = byDc.get(dc);
        return known == null || isOld(known) ? null : known;
    }

    private static boolean isOld(Heard heard) {
        return System.nanoTime() - heard.nanos > BELIEVED_NANOS;
    }
}
