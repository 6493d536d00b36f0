/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that do something again and again until they are closed; that it failed meanwhile is told at the end. */
final class Busy implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean on = true;

    void begin(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                while (on) {
                    work.run();
                }
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() throws InterruptedException {
        on = false;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            assertThat(thread.isAlive()).as("a busy thread goes on").isFalse();
        }
        assertThat(failure.get()).as("what the busy threads did").isNull();
    }
}
