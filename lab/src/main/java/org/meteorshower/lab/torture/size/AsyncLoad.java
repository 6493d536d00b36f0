/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps so many requests under way, and sends each again that failed, after a pause. What waits for its pause counts as
 * under way, so it holds no more than that. One thread sends; the driver's count.
 */
final class AsyncLoad implements AutoCloseable {
    private static final long IDLE_MILLIS = 20;
    private static final long LAST_ANSWERS_MILLIS = 15_000;

    private final Work work;
    private final Clock clock;
    private final Tally tally;
    private final int inFlight;
    private final Semaphore room;
    private final DelayQueue<Again> again = new DelayQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Thread thread;
    private volatile boolean on = true;
    private volatile boolean rests;
    private volatile boolean exhausted;

    /** Nanoseconds since the run began. */
    interface Clock {
        long nanos();
    }

    /** A request that failed, until it is due. */
    private record Again(Work.Job job, long dueNanos) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** Begins. */
    AsyncLoad(String name, Work work, int inFlight, Clock clock, Tally tally) {
        this.work = work;
        this.clock = clock;
        this.tally = tally;
        this.inFlight = inFlight;
        this.room = new Semaphore(inFlight);
        thread = new Thread(this::run, "load-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (on) {
                Again due = again.poll();
                if (due != null) {
                    send(due.job());
                } else if (exhausted || rests) {
                    Thread.sleep(IDLE_MILLIS);
                } else if (room.tryAcquire(IDLE_MILLIS, TimeUnit.MILLISECONDS)) {
                    if (rests) {
                        room.release();
                    } else {
                        begin(work.next());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(Work.@Nullable Job job) {
        if (job == null) {
            exhausted = true;
            room.release();
        } else {
            send(job);
        }
    }

    private void send(Work.Job job) {
        long start = clock.nanos();
        asked.incrementAndGet();
        try {
            var unused = job.send().handle((rows, failure) -> {
                ended(job, start, failure);
                return null;
            });
        } catch (DriverException | IllegalStateException e) {
            ended(job, start, e);
        }
    }

    private void ended(Work.Job job, long startNanos, @Nullable Throwable failure) {
        long end = clock.nanos();
        if (failure == null) {
            job.acknowledged();
            tally.acknowledged(startNanos, end, job.rows(), job.writes());
            room.release();
            if (isDone()) {
                tally.done(end);
            }
        } else {
            LoadError error = LoadError.of(failure);
            tally.failed(end, error);
            again.add(new Again(job, System.nanoTime() + error.pause().toNanos()));
        }
        asked.decrementAndGet();
    }

    /** Begins nothing new until told otherwise; what failed is sent again all the same. */
    void rest(boolean rest) {
        rests = rest;
    }

    /** Whether all is acknowledged, of work that has an end. */
    boolean isDone() {
        return exhausted && room.availablePermits() == inFlight;
    }

    /** Sends nothing any more; returns when what is under way has been answered, or after fifteen seconds. */
    void stop() throws InterruptedException {
        on = false;
        thread.join(LAST_ANSWERS_MILLIS);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_ANSWERS_MILLIS);
        while (asked.get() > 0 && System.nanoTime() - deadline < 0) {
            Thread.sleep(IDLE_MILLIS);
        }
    }

    @Override
    public void close() {
        on = false;
        thread.interrupt();
    }
}
