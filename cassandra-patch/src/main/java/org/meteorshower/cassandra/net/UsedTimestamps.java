/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * The timestamps from other nodes that this one has used for a write. Each is used once: by partition, coordinator and
 * timestamp the node that gave it knows the write again. Two nodes may give the same one. Thread-safe.
 */
public final class UsedTimestamps {
    /** Those that are remembered one by one; what is below all of them counts as used. */
    private static final int MOST = 4_096;

    private final TreeSet<Long> used = new TreeSet<>();
    private final LongConsumer taken;
    private long floorMicros;

    /**
     * @param floorMicros above all that earlier lives of this node have used
     * @param taken makes sure that this is so in its next life, too; must not block for long
     */
    public UsedTimestamps(long floorMicros, LongConsumer taken) {
        this.floorMicros = floorMicros;
        this.taken = taken;
    }

    /** @return whether nobody has had it, and nobody else will get it */
    boolean take(long micros) {
        synchronized (this) {
            if (micros <= floorMicros || !used.add(micros)) {
                return false;
            }
            if (used.size() > MOST) {
                floorMicros = used.pollFirst();
            }
        }
        taken.accept(micros);
        return true;
    }

    /** Whatever is above this was not used. */
    synchronized long highestMicros() {
        return used.isEmpty() ? floorMicros : used.last();
    }
}
