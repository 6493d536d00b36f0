/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * One client: an operation after the other, so many a second at most, each of them timed. Runs on one thread, to its
 * end; what it wrote down is to be read then.
 */
abstract class TortureWorker implements Runnable {
    static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final TortureWorkload<?> workload;
    private final String session;
    private final Random random;
    private final long pauseNanos;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * A client that has not begun.
     *
     * @param session its name
     * @param number its place among the clients
     */
    TortureWorker(TortureWorkload<?> workload, String session, int number) {
        this.workload = workload;
        this.session = session;
        this.random = workload.random(number);
        this.pauseNanos = workload.pauseNanos();
    }

    final String session() {
        return session;
    }

    final Random random() {
        return random;
    }

    final List<Sample> samples() {
        return samples;
    }

    @Override
    public final void run() {
        try {
            while (workload.isOn()) {
                long begun = System.nanoTime();
                if (!once()) {
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
                // A closed loop that does at most so many a second.
                LockSupport.parkNanos(begun + pauseNanos / 2 + random.nextLong(pauseNanos + 1) - System.nanoTime());
            }
            last();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does one operation and returns whether it succeeded. */
    abstract boolean once();

    /** What it does when the workload has ended: nothing, but where a client says otherwise. */
    void last() throws InterruptedException {}

    final void note(Sample sample) {
        samples.add(sample);
    }
}
