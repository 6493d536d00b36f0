/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Each session begins its next operation when the last one ended: as much as so many can, a figure of throughput. */
final class ClosedLoop implements Generator {
    private static final long GLANCE_NANOS = 10_000_000;

    private final List<Session> slots;
    private final Measurement measurement;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean stopped;

    ClosedLoop(List<? extends Session> slots, Measurement measurement) {
        this.slots = List.copyOf(slots);
        this.measurement = measurement;
    }

    @Override
    public void run() {
        for (Session slot : slots) {
            underWay.incrementAndGet();
            next(slot);
        }
        while (measurement.endNanos() - System.nanoTime() > 0) {
            if (Thread.currentThread().isInterrupted()) {
                stopped = true;
                return;
            }
            LockSupport.parkNanos(Math.min(GLANCE_NANOS, Math.max(1, measurement.endNanos() - System.nanoTime())));
        }
    }

    private void next(Session slot) {
        long now = System.nanoTime();
        if (stopped || now - measurement.endNanos() >= 0) {
            underWay.decrementAndGet();
        } else {
            slot.start(now, measurement, () -> next(slot));
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean isQuiet() {
        return underWay.get() == 0;
    }
}
