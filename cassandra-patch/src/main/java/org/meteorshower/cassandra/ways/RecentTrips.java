/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

/**
 * The shortest of the last 8 to 16 round trips: what others are longer was spent in queues. It goes by how many there
 * were and not by time, so that a way in use that has become longer is noticed at once. Microseconds; not thread-safe.
 */
final class RecentTrips {
    static final int WINDOW = 8;

    private int inWindow;
    private long windowMicros = Long.MAX_VALUE;
    private long beforeMicros = Long.MAX_VALUE;

    void add(long micros) {
        if (inWindow == WINDOW) {
            beforeMicros = windowMicros;
            windowMicros = Long.MAX_VALUE;
            inWindow = 0;
        }
        windowMicros = Math.min(windowMicros, micros);
        inWindow++;
    }

    boolean isEmpty() {
        return inWindow == 0;
    }

    /** {@link Long#MAX_VALUE} before the first. */
    long shortestMicros() {
        return Math.min(windowMicros, beforeMicros);
    }
}
