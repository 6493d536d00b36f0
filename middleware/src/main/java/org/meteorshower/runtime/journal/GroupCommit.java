/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.meteorshower.runtime.SafeCount;

/**
 * Forces what was written to the disk, once for all who wait for it meanwhile (group commit). Thread-safe; one daemon
 * thread of its own.
 */
final class GroupCommit extends SafeCount implements AutoCloseable {
    private static final long LOOK_AFTER_NANOS = 1_000_000_000L;

    private final Runnable force;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean broken;
    private volatile Runnable safer = () -> {};
    private volatile Consumer<RuntimeException> failed = cause -> {};

    /** @param force forces all that has been written before the call; called by one thread */
    GroupCommit(Runnable force) {
        this.force = force;
        thread = new Thread(this::run, "meteorshower-journal-commit");
        thread.setDaemon(true);
        thread.start();
    }

    /** One more was written. */
    void wrote() {
        var unused = count();
        LockSupport.unpark(thread);
    }

    @Override
    public void tell(Runnable safer, Consumer<RuntimeException> failed) {
        this.safer = safer;
        this.failed = failed;
    }

    private void run() {
        try {
            while (!closed) {
                if (isAllSafe()) {
                    LockSupport.parkNanos(this, LOOK_AFTER_NANOS);
                } else {
                    forceAll();
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
        broken = true;
        neverSafe(cause);
        failed.accept(cause);
    }

    private void forceAll() {
        long until = written();
        force.run();
        nowSafe(until);
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
        if (!broken) {
            forceAll();
        }
    }
}
