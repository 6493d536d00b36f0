/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What is known of one user. Guarded by its {@link MemoryBudget}. */
final class Tally {
    private final long limitBytes;
    private final List<LongSupplier> used = new ArrayList<>();
    private final List<LongSupplier> timesFull = new ArrayList<>();
    private long peakBytes;

    /** Looks that found it full, where the one before did not. */
    private long seenFull;

    private boolean full;

    Tally(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void add(LongSupplier usedBytes, @Nullable LongSupplier times) {
        used.add(usedBytes);
        if (times != null) {
            timesFull.add(times);
        }
    }

    MemoryBudget.Use look(MemoryUser user) {
        long now = used.stream().mapToLong(LongSupplier::getAsLong).sum();
        peakBytes = Math.max(peakBytes, now);
        boolean fullNow = now >= limitBytes;
        if (fullNow && !full) {
            seenFull++;
        }
        full = fullNow;
        long told = timesFull.stream().mapToLong(LongSupplier::getAsLong).sum();
        return new MemoryBudget.Use(user, now, limitBytes, peakBytes, Math.max(seenFull, told));
    }
}
