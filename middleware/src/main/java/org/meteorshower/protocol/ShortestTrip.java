/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The shortest round trip to a peer in the last minute or two: what others are longer was spent in queues.
 * Microseconds; used by the core's thread alone.
 */
final class ShortestTrip {
    /** Trips are remembered for one to two of these. */
    private static final long WINDOW_NANOS = 60_000_000_000L;

    /** Before so many were seen, none is known to be a short one. */
    static final int LEARNED_AFTER = 50;

    private int seen;
    private long windowBeganNanos;
    private long inWindowMicros = Long.MAX_VALUE;
    private long beforeMicros = Long.MAX_VALUE;

    void heard(long roundTripMicros, long nowNanos) {
        if (nowNanos - windowBeganNanos > WINDOW_NANOS) {
            beforeMicros = inWindowMicros;
            inWindowMicros = Long.MAX_VALUE;
            windowBeganNanos = nowNanos;
        }
        inWindowMicros = Math.min(inWindowMicros, roundTripMicros);
        if (seen <= LEARNED_AFTER) {
            seen++;
        }
    }

    boolean isLearned() {
        return seen > LEARNED_AFTER;
    }

    /** {@link Long#MAX_VALUE} before the first. */
    long micros() {
        return Math.min(inWindowMicros, beforeMicros);
    }
}
