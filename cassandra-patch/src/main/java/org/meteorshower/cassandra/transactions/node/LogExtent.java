/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much each lane's log has taken, in bytes, since its data centre was founded, about; and which bucket it was last
 * noted to have. A restart knows from it where entries may be, and how much they take. Thread-safe.
 */
final class LogExtent {
    private static final class Lane {
        final AtomicLong total = new AtomicLong();
        final AtomicLong ballot = new AtomicLong();

        /** The last bucket that is durably noted; what comes late into others is noted again. */
        volatile long noted = -1;
    }

    private final List<Lane> lanes = new ArrayList<>();

    LogExtent(int count) {
        for (int i = 0; i < count; i++) {
            lanes.add(new Lane());
        }
    }

    /** What the last process had noted. */
    void restore(int lane, long total, long ballot) {
        lanes.get(lane).total.set(total);
        lanes.get(lane).ballot.set(ballot);
    }

    /** Whether it is noted durably that the lane has entries in the bucket. */
    boolean knows(int lane, long bucket) {
        return lanes.get(lane).noted == bucket;
    }

    void takes(int lane, int bytes, long ballot) {
        lanes.get(lane).total.addAndGet(bytes);
        lanes.get(lane).ballot.accumulateAndGet(ballot, Math::max);
    }

    /** A batch with an entry of this bucket, and a note of it where it was not known, is durable. */
    void written(int lane, long bucket) {
        Lane each = lanes.get(lane);
        if (each.noted != bucket) {
            each.noted = bucket;
        }
    }

    long total(int lane) {
        return lanes.get(lane).total.get();
    }

    /** The highest one under which something was accepted. */
    long ballot(int lane) {
        return lanes.get(lane).ballot.get();
    }
}
