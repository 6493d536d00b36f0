/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Simulated time and what is to happen in it. Events of one moment happen in the order they were scheduled. */
final class Scheduler {
    private record Scheduled(long atMicros, long order, Runnable action) {}

    private final PriorityQueue<Scheduled> queue =
            new PriorityQueue<>(Comparator.comparingLong(Scheduled::atMicros).thenComparingLong(Scheduled::order));
    private long nowMicros = 1_000_000;
    private long order;

    long nowMicros() {
        return nowMicros;
    }

    void after(long micros, Runnable action) {
        queue.add(new Scheduled(nowMicros + Math.max(0, micros), order++, action));
    }

    /** Lets the next thing happen; false when nothing is left. */
    boolean step() {
        Scheduled next = queue.poll();
        if (next == null) {
            return false;
        }
        nowMicros = next.atMicros();
        next.action().run();
        return true;
    }
}
