/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.merge;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Checkpoint;

/**
 * Puts the decided entries of all lanes into one order: by effective epoch, then by lane. The effective epoch of an
 * entry is max(its own, that of the entry before it in its lane plus 1). So a decided entry closes all epochs of its
 * lane up to its own, and the next entry of the order is known as soon as no lane can bring a smaller one.
 */
public final class MergeOrder {
    /** Where the lanes' decided entries are found. */
    public interface Decided {
        /** Null while it is not known to be decided. */
        @Nullable
        Entry get(int lane, long position);
    }

    private final Decided decided;
    private final long[] positions;
    private final long[] epochs;
    private long count;

    public MergeOrder(Checkpoint start, Decided decided) {
        this.decided = decided;
        this.positions = start.positions().stream().mapToLong(Long::longValue).toArray();
        this.epochs = start.epochs().stream().mapToLong(Long::longValue).toArray();
        this.count = start.count();
    }

    /** How many entries have been merged. */
    public long count() {
        return count;
    }

    /** The lane's next position to be merged. */
    public long position(int lane) {
        return positions[lane];
    }

    public List<Long> positions() {
        return Arrays.stream(positions).boxed().toList();
    }

    /** By lane, the effective epoch of the last merged entry. */
    public List<Long> epochs() {
        return Arrays.stream(epochs).boxed().toList();
    }

    /** The next entry of the order; null while it is not known which that is. */
    public @Nullable Merged next() {
        int lane = -1;
        long smallest = Long.MAX_VALUE;
        Entry entry = null;
        for (int candidate = 0; candidate < positions.length; candidate++) {
            Entry head = decided.get(candidate, positions[candidate]);
            long epoch = head == null ? leastEpoch(candidate) : effectiveEpoch(candidate, head);
            if (epoch < smallest) {
                smallest = epoch;
                lane = candidate;
                entry = head;
            }
        }
        if (entry == null) {
            return null; // The lane that may still bring the smallest has not decided it yet.
        }
        Merged merged = new Merged(count++, lane, positions[lane]++, smallest, entry);
        epochs[lane] = smallest;
        return merged;
    }

    /** The lane brings no entry any more whose effective epoch is smaller. */
    private long leastEpoch(int lane) {
        return epochs[lane] + 1;
    }

    private long effectiveEpoch(int lane, Entry entry) {
        return Math.max(entry.epoch(), leastEpoch(lane));
    }

    /** A snapshot has brought everything before this. */
    public void jump(Checkpoint to) {
        count = to.count();
        for (int lane = 0; lane < positions.length; lane++) {
            positions[lane] = to.positions().get(lane);
            epochs[lane] = to.epochs().get(lane);
        }
    }
}
