/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one data centre under an open loop. An operation whose time has come takes the session that has
 * rested longest; where all are busy it waits, its clock running; where too many wait already it is counted and given
 * up. Thread-safe.
 */
final class Lane {
    private final Measurement measurement;
    private final int backlogLimit;
    private final Deque<Session> idle;
    private final Deque<Long> backlog = new ArrayDeque<>();
    private final int slots;
    private boolean stopped;

    /** @param backlogLimit operations that may wait for a session */
    Lane(List<? extends Session> slots, Measurement measurement, int backlogLimit) {
        this.measurement = measurement;
        this.backlogLimit = backlogLimit;
        this.slots = slots.size();
        idle = new ArrayDeque<>(slots);
    }

    /** The time of an operation has come. Does not wait. */
    void arrive(long intendedNanos) {
        Session slot;
        synchronized (this) {
            if (stopped) {
                return;
            }
            slot = idle.poll();
            if (slot == null) {
                if (backlog.size() < backlogLimit) {
                    backlog.add(intendedNanos);
                } else {
                    measurement.overflowed(intendedNanos);
                }
                return;
            }
        }
        start(slot, intendedNanos);
    }

    private void start(Session slot, long intendedNanos) {
        slot.start(intendedNanos, measurement, () -> ended(slot));
    }

    private void ended(Session slot) {
        @Nullable Long waiting;
        synchronized (this) {
            waiting = backlog.poll();
            if (waiting == null) {
                idle.add(slot);
                return;
            }
        }
        start(slot, waiting);
    }

    /** Starts nothing more; what waits is dropped. */
    synchronized void stop() {
        stopped = true;
        backlog.clear();
    }

    /** Whether nothing is under way or waiting. */
    synchronized boolean isQuiet() {
        return idle.size() == slots;
    }
}
