/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.io.IOError;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.cassandra.agent.LogWaiter;
import org.meteorshower.cassandra.agent.OriginalWait;
import org.meteorshower.runtime.SafeCount;

/**
 * Brings to the disk what has been put into the commit log and is in the journal already, so that no write waits for
 * it. The journal goes by this before it forgets a mutation. Where the disk does not follow, writers wait as ever.
 * Thread-safe; one daemon thread of its own.
 */
public final class LogTail extends SafeCount implements LogWaiter, AutoCloseable {
    /** So many more may be on their way to the disk: as many the journal remembers to forget. */
    static final int MOST = 16_384;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Nobody waits: what is put there meanwhile goes along. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Returns when what was in the log before is on the disk. */
    @FunctionalInterface
    interface Forcing {
        void force() throws IOException;
    }

    private final Forcing forcing;
    private final Consumer<Throwable> failed;
    private final Thread thread;
    /** When it last began to force, or to wait for something to force. */
    private volatile long begunNanos = System.nanoTime();

    private volatile boolean idle;
    private volatile boolean closed;

    /** @param failed told of what kept the log from the disk; it is tried again */
    LogTail(Forcing forcing, Consumer<Throwable> failed) {
        this.forcing = forcing;
        this.failed = failed;
        thread = new Thread(this::run, "MeteorShower-CommitLog");
        thread.setDaemon(true);
        thread.start();
    }

    /** Of this node's commit log. Where that fails Cassandra does what its {@code commit_failure_policy} says. */
    public static LogTail ofCassandra() {
        return new LogTail(() -> CommitLog.instance.sync(true), cause -> {
            // A drained node has closed its log, and all of it is in the tables' files.
            if (!StorageService.instance.isDraining() && !StorageService.instance.isDrained()) {
                var unused = CommitLog.handleCommitError("MeteorShower could not force the commit log", cause);
            }
        });
    }

    @Override
    public boolean takes(OriginalWait original, Object entry) {
        long number = count();
        if (idle) {
            LockSupport.unpark(thread);
            return !closed;
        }
        return !closed && isSafe(number - MOST) && System.nanoTime() - begunNanos <= LONGEST_NANOS;
    }

    /** Nobody needs to hear of it. */
    @Override
    public void tell(Runnable safer, Consumer<RuntimeException> lost) {}

    private void run() {
        while (!closed) {
            if (isAllSafe()) {
                awaitSome();
            } else {
                LockSupport.parkNanos(this, REST_NANOS);
                force();
            }
        }
    }

    private void awaitSome() {
        idle = true;
        while (isAllSafe() && !closed) {
            LockSupport.parkNanos(this, AGAIN_NANOS);
        }
        begunNanos = System.nanoTime();
        idle = false;
    }

    private void force() {
        long until = written();
        long begun = System.nanoTime();
        try {
            forcing.force();
        } catch (IOException | RuntimeException | IOError | AssertionError e) { // Cassandra's file errors are Errors
            if (!closed) {
                failed.accept(e);
                LockSupport.parkNanos(this, AGAIN_NANOS);
            }
            return;
        }
        begunNanos = begun;
        nowSafe(until);
    }

    /** Forces the rest. From now on writers wait as ever. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        force();
    }
}
