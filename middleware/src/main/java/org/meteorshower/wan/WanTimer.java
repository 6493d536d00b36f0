/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks at given times on one daemon thread, tasks of one time in the order in which they came. Thread-safe. The
 * thread starts with the first task. Tasks run up to about 0.1 ms late, later when they or the machine are slow.
 */
final class WanTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WanTimer.class);

    private record Task(long dueNanos, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            // As differences, because nanoTime wraps.
            long later = dueNanos - other.dueNanos;
            return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
        }
    }

    private final int maxPending;
    private final PriorityQueue<Task> queue = new PriorityQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private long nextNumber;
    private boolean closed;
    private @Nullable Thread thread;

    WanTimer(int maxPending) {
        this.maxPending = maxPending;
    }

    /** Tasks that have not ended, the running one included. */
    int pending() {
        return pending.get();
    }

    long refused() {
        return refused.sum();
    }

    /** Returns false if the timer is full or closed; the task will not run then. */
    boolean schedule(long dueNanos, Runnable action) {
        Thread toWake = null;
        synchronized (queue) {
            if (closed || queue.size() >= maxPending) {
                refused.increment();
                return false;
            }
            Task task = new Task(dueNanos, nextNumber++, action);
            queue.add(task);
            pending.incrementAndGet();
            if (thread == null) {
                thread = new Thread(this::loop, "meteorshower-wan");
                thread.setDaemon(true);
                thread.start();
            } else if (task.equals(queue.peek())) {
                toWake = thread;
            }
        }
        if (toWake != null) {
            LockSupport.unpark(toWake);
        }
        return true;
    }

    private void loop() {
        while (true) {
            Task due = null;
            long waitNanos = Long.MAX_VALUE;
            synchronized (queue) {
                if (closed) {
                    return;
                }
                Task first = queue.peek();
                if (first != null) {
                    waitNanos = first.dueNanos - System.nanoTime();
                    if (waitNanos <= 0) {
                        due = queue.poll();
                    }
                }
            }
            if (due != null) {
                run(due);
            } else {
                LockSupport.parkNanos(this, waitNanos);
            }
        }
    }

    private void run(Task task) {
        try {
            task.action.run();
        } catch (RuntimeException | Error e) {
            // One message that cannot be delivered must not stop the network.
            LOG.error("A delayed message could not be delivered", e);
            if (e instanceof VirtualMachineError) { // the process may have to end
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, e);
            }
        } finally {
            pending.decrementAndGet();
        }
    }

    @Override
    public void close() {
        Thread ended;
        synchronized (queue) {
            closed = true;
            pending.addAndGet(-queue.size());
            queue.clear();
            ended = thread;
        }
        if (ended != null && ended != Thread.currentThread()) {
            LockSupport.unpark(ended);
            try {
                ended.join(1_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
