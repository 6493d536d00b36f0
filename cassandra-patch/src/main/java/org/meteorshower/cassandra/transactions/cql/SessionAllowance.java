/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.concurrent.TimeUnit;

/**
 * How many sessions may still be opened at this node now: each is remembered in all data centres for an hour after its
 * last use, and anybody who may log in can open one. Thread-safe.
 */
final class SessionAllowance {
    static final int MOST_PER_SECOND = 20;
    static final int MOST_AT_ONCE = 500;

    private static final long NANOS_EACH = TimeUnit.SECONDS.toNanos(1) / MOST_PER_SECOND;

    /** Those not taken up to then: 0 <= left <= MOST_AT_ONCE. Guarded by this. */
    private long left = MOST_AT_ONCE;

    private long thenNanos;

    SessionAllowance(long nowNanos) {
        thenNanos = nowNanos;
    }

    synchronized boolean take(long nowNanos) {
        long grown = Math.max(0, nowNanos - thenNanos) / NANOS_EACH;
        thenNanos += grown * NANOS_EACH;
        left = Math.min(MOST_AT_ONCE, left + grown);
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}
