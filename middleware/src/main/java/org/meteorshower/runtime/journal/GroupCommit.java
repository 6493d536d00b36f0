/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.runtime.Safety;

/**
 * Forces what was written to the disk, once for all who wait for it meanwhile (group commit). Thread-safe; one daemon
 * thread of its own.
 */
final class GroupCommit implements Safety, AutoCloseable {
    private static final long LOOK_AFTER_NANOS = 1_000_000_000L;

    private final Runnable force;
    private final Thread thread;
    private final AtomicLong written = new AtomicLong();
    private volatile long safe;
    private volatile @Nullable RuntimeException failure;
    private volatile boolean closed;
    private volatile Runnable safer = () -> {};
    private volatile Consumer<RuntimeException> failed = cause -> {};

    /** @param force forces all that has been written before the call; called by one thread */
    GroupCommit(Runnable force) {
        this.force = force;
        thread = new Thread(this::run, "meteorshower-journal-commit");
        thread.setDaemon(true);
        thread.start();
    }

    /** In entries. */
    @Override
    public long written() {
        return written.get();
    }

    /** One more was written. */
    void wrote() {
        written.incrementAndGet();
        LockSupport.unpark(thread);
    }

    @Override
    public boolean isSafe(long number) {
        return number <= safe;
    }

    @Override
    public boolean await(long number, long deadlineNanos) throws InterruptedException {
        if (isSafe(number)) {
            return true;
        }
        synchronized (this) {
            while (!isSafe(number)) {
                RuntimeException cause = failure;
                if (cause != null) {
                    throw new StoppedException(cause);
                }
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    return false;
                }
                // Rounded up: a wait of 0 milliseconds would be for ever.
                wait(leftNanos / 1_000_000 + 1);
            }
            return true;
        }
    }

    @Override
    public void tell(Runnable safer, Consumer<RuntimeException> failed) {
        this.safer = safer;
        this.failed = failed;
    }

    private void run() {
        try {
            while (!closed) {
                long until = written.get();
                if (until == safe) {
                    LockSupport.parkNanos(this, LOOK_AFTER_NANOS);
                } else {
                    force.run();
                    nowSafe(until);
                }
            }
        } catch (RuntimeException e) {
            fail(e);
        } catch (Error e) {
            fail(new IllegalStateException(e)); // else everybody would wait for ever
            throw e;
        }
    }

    private void fail(RuntimeException cause) {
        synchronized (this) {
            failure = cause;
            notifyAll();
        }
        failed.accept(cause);
    }

    private void nowSafe(long until) {
        synchronized (this) {
            safe = until;
            notifyAll();
        }
        safer.run();
    }

    /** Forces the rest. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure == null) {
            long until = written.get();
            force.run();
            nowSafe(until);
        }
    }
}
