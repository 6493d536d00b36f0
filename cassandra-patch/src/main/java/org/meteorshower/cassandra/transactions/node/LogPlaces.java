/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

/** Where a lane's positions are kept: in buckets, so that no partition grows without bound. Stateless. */
final class LogPlaces {
    /** Positions in a bucket: twenty seconds' worth where a lane closes its epochs at full rate. */
    static final long BUCKET = 4_096;

    /**
     * What is below a floor is deleted in steps of so many positions, so that deletions are few. A divisor of the
     * bucket.
     */
    static final long STEP = 256;

    private LogPlaces() {}

    static long bucket(long position) {
        return position / BUCKET;
    }

    /** The first position that is not in the bucket any more. */
    static long end(long bucket) {
        return (bucket + 1) * BUCKET;
    }

    /** How far to delete for a floor. */
    static long trimmed(long floor) {
        return floor / STEP * STEP;
    }
}
