/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * A number of records, and what they take on the heap. Sums that are too large for their type stay at its largest
 * value.
 *
 * @param bytes by {@link Footprint}
 */
record Load(int records, long bytes) {
    static final Load NONE = new Load(0, 0);

    /** Whether there are more of them, or larger ones, than the limit allows. */
    boolean exceeds(Load limit) {
        return records > limit.records || bytes > limit.bytes;
    }

    /** Whether either reaches the limit. */
    boolean reaches(Load limit) {
        return records >= limit.records || bytes >= limit.bytes;
    }

    Load plus(Load more) {
        long sum = bytes + more.bytes;
        return new Load(sum(records, more.records), sum < 0 ? Long.MAX_VALUE : sum);
    }

    Load minus(Load less) {
        return new Load(records - less.records, bytes - less.bytes);
    }

    Load plus(MutationRecord record) {
        return plus(new Load(1, record.heldBytes()));
    }

    Load atLeast(Load other) {
        return new Load(Math.max(records, other.records), Math.max(bytes, other.bytes));
    }

    Load atMost(Load other) {
        return new Load(Math.min(records, other.records), Math.min(bytes, other.bytes));
    }

    /** One of so many. */
    Load part(int parts) {
        return new Load(records / parts, bytes / parts);
    }

    private static int sum(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
    }
}
