/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.meteorshower.lab.cluster.ClusterException;

/** Waits for many small things, some of which fail at first. */
public final class Async {
    private static final long LIMIT_MINUTES = 3;

    /** Nodes that were started just now, on a busy machine, do not always answer in time. */
    private static final int ATTEMPTS = 6;

    private Async() {}

    /**
     * Does something for each item, so many at a time; each is tried a few times.
     *
     * @throws ClusterException where one fails for good
     */
    public static <T, R> List<R> all(List<T> items, int atATime, String what, Function<T, CompletionStage<R>> work) {
        List<R> results = new ArrayList<>();
        for (int from = 0; from < items.size(); from += atATime) {
            List<CompletableFuture<R>> part = items.subList(from, Math.min(items.size(), from + atATime)).stream()
                    .map(item -> attempt(item, work, 1))
                    .toList();
            try {
                CompletableFuture.allOf(part.toArray(CompletableFuture[]::new)).get(LIMIT_MINUTES, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("interrupted while " + what, e);
            } catch (ExecutionException e) {
                throw new ClusterException("failed while " + what + ": " + e.getCause(), e);
            } catch (TimeoutException e) {
                throw new ClusterException("not done within " + LIMIT_MINUTES + " minutes: " + what, e);
            }
            part.forEach(done -> results.add(done.join()));
        }
        return results;
    }

    private static <T, R> CompletableFuture<R> attempt(T item, Function<T, CompletionStage<R>> work, int number) {
        CompletableFuture<R> first = started(item, work);
        if (number == ATTEMPTS) {
            return first;
        }
        return first.exceptionallyCompose(failure -> CompletableFuture.supplyAsync(
                        () -> item, CompletableFuture.delayedExecutor(number, TimeUnit.SECONDS))
                .thenCompose(again -> attempt(again, work, number + 1)));
    }

    private static <T, R> CompletableFuture<R> started(T item, Function<T, CompletionStage<R>> work) {
        try {
            return work.apply(item).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
