/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

/**
 * The tables of one data centre's stream, as they are read. Thread-safe. Where they are not there, the stream is off.
 */
interface ChangeTables {
    /** So many places are in a partition. */
    long BUCKET = 256;

    /** @throws ChangesOffException if there are none */
    Limits limits();

    /** Those in which there is something, ascending; may be iterated once. Fetched as it is iterated. */
    Iterable<Long> buckets(long first, long last);

    /** What a bucket holds from there on, ascending; may be iterated once. Fetched as it is iterated. */
    Iterable<StoredChange> changes(long bucket, ChangePosition from);

    /**
     * Between which places there is everything.
     *
     * @param oldest the first of them
     * @param below the first after them
     */
    record Limits(long oldest, long below) {}

    /** One row that a transaction has set. */
    record StoredChange(ChangePosition at, ChangedRow row) {}
}
