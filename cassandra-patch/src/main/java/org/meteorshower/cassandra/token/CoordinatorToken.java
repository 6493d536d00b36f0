/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The one session token that this coordinator holds for all clients that bring none of their own: the largest cut
 * served and the latest write acknowledged to any of them. Those clients share one session per coordinator.
 * Thread-safe.
 */
public final class CoordinatorToken {
    private final AtomicLong cutMicros;

    /**
     * @param floorMicros the hybrid clock after a restart: above all that was answered in earlier lives of this node
     */
    public CoordinatorToken(long floorMicros) {
        cutMicros = new AtomicLong(floorMicros);
    }

    public long cutMicros() {
        return cutMicros.get();
    }

    public void advanceTo(long micros) {
        cutMicros.accumulateAndGet(micros, Math::max);
    }
}
