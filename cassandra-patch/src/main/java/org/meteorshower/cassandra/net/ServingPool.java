/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers other nodes' calls that may block, on so many threads, with so many calls waiting. Thread-safe. */
final class ServingPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServingPool.class);

    private final ThreadPoolExecutor threads;

    ServingPool(String name, int most, int queued) {
        threads = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queued), new NamedThreadFactory(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Does not block.
     *
     * @param full the answer where too many wait already
     */
    CompletableFuture<byte[]> answer(Supplier<byte[]> work, Supplier<byte[]> full) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> serve(work, answer));
        } catch (RejectedExecutionException e) {
            answer.complete(full.get());
        }
        return answer;
    }

    private static void serve(Supplier<byte[]> work, CompletableFuture<byte[]> answer) {
        try {
            answer.complete(work.get());
        } catch (RuntimeException e) {
            log.debug("A call of another node failed", e);
            answer.completeExceptionally(e);
        } catch (Error e) {
            answer.completeExceptionally(e);
            throw e; // to the thread's handler, which is Cassandra's
        }
    }

    /** How many wait for a thread. */
    int queued() {
        return threads.getQueue().size();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
