/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.meteorshower.runtime.Fatal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's threads: they mostly wait, for the disk or for other replicas, and none of Cassandra's waits for them. What
 * waits for one of them is bounded by what the core asks for at a time. Thread-safe.
 */
final class StoreThreads implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StoreThreads.class);
    private static final long IDLE_SECONDS = 10;

    private final List<ExecutorService> all = new ArrayList<>();
    private volatile boolean closed;

    /** To be called before any other thread knows of this. */
    ExecutorService make(String name, int threads) {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreadFactory("MeteorShower-" + name));
        made.allowCoreThreadTimeOut(true);
        all.add(made);
        return made;
    }

    boolean isClosed() {
        return closed;
    }

    /** Tries until it succeeds, or the store is closed. */
    <T> T tried(String what, Supplier<T> action) {
        return Retries.until(this::isClosed, what, action);
    }

    void on(ExecutorService threads, Runnable work) {
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    failed(e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("MeteorShower transactions: ended before its work began");
        }
    }

    void failed(Throwable why) {
        Throwable cause = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        if (closed || cause instanceof Retries.EndedException) {
            log.debug("MeteorShower transactions: interrupted in its work, since it has ended", why);
            return;
        }
        // The core waits for it for ever, which is safe, and shows.
        log.error("MeteorShower transactions: work for the store failed, and what waits for it stands still", why);
        Fatal.report(cause);
    }

    @Override
    public void close() {
        closed = true;
        all.forEach(ExecutorService::shutdownNow);
    }
}
