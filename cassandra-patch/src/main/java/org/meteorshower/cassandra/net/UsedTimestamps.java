/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The timestamps of other nodes that this one has used for writes. Each is used once: by partition, coordinator and
 * timestamp the node that gave it knows the write again. Two nodes may give the same one. Thread-safe.
 */
public final class UsedTimestamps {
    /** Those that are remembered one by one; what is below all of them counts as used. */
    private static final int MOST = 4_096;

    private final TreeSet<Long> used = new TreeSet<>();
    private final LongUnaryOperator taken;
    private long floorMicros;

    /**
     * @param floorMicros above all that earlier lives of this node have used
     * @param taken makes sure that neither this node nor a later life of it gives this one; returns the largest that it
     *     has given; must not block for long
     */
    public UsedTimestamps(long floorMicros, LongUnaryOperator taken) {
        this.floorMicros = floorMicros;
        this.taken = taken;
    }

    /** @return null where no write has had it, and no other one will; else above what such a one would be */
    @Nullable
    Long take(long micros) {
        synchronized (this) {
            if (micros <= floorMicros || !used.add(micros)) {
                return used.isEmpty() ? floorMicros : used.last();
            }
            if (used.size() > MOST) {
                floorMicros = used.pollFirst();
            }
        }
        long givenMicros = taken.applyAsLong(micros);
        return givenMicros < micros ? null : Long.valueOf(givenMicros);
    }
}
