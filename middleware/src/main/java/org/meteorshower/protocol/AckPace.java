/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * How often acknowledgements ask for a status message to one peer, and how long one may wait for the next: where many
 * come, for a small part of the round trip that the write takes anyway, so that one message carries several. Where few
 * come, none waits.
 */
final class AckPace {
    private static final int PART_OF_ROUND_TRIP = 10;

    private static final long LONGEST_GAP_NANOS = 100_000_000;

    /** The mean is about that of the last ones. */
    private static final int WEIGHT = 8;

    private long lastNanos;
    private long meanGapNanos = LONGEST_GAP_NANOS;

    AckPace(long nowNanos) {
        lastNanos = nowNanos - LONGEST_GAP_NANOS; // as if none had come for long
    }

    void asked(long nowNanos) {
        long gapNanos = Math.min(nowNanos - lastNanos, LONGEST_GAP_NANOS);
        meanGapNanos += (gapNanos - meanGapNanos) / WEIGHT;
        lastNanos = nowNanos;
    }

    /** Whether about as many come as status messages go out anyway. */
    boolean isBusy(Settings settings) {
        return meanGapNanos <= 1_000 * settings.dispatchIntervalMicros();
    }

    /** The least time between two messages while many come. */
    static long leastMicros(Settings settings, long oneWayMicros) {
        long gathered = Math.min(2 * oneWayMicros / PART_OF_ROUND_TRIP, settings.dispatchIntervalMicros() / 2);
        return Math.max(settings.minFlushMicros(), gathered);
    }
}
