/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Does again what may be done again at will, with pauses, until it goes well, fails for good, or the time is over. One
 * thread at a time: the caller's, then those that complete an attempt or end a pause.
 */
final class Insistence {

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final Supplier<CompletableFuture<AsyncResultSet>> attempt;
    private final Consumer<Throwable> failed;
    private final long deadlineNanos;
    private final CompletableFuture<AsyncResultSet> result = new CompletableFuture<>();
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    private Insistence(
            Supplier<CompletableFuture<AsyncResultSet>> attempt, Consumer<Throwable> failed, long deadlineNanos) {
        this.attempt = attempt;
        this.failed = failed;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * @param failed told of each failed attempt
     * @param patienceNanos no attempt begins later; there is one at least
     */
    static CompletableFuture<AsyncResultSet> on(
            Supplier<CompletableFuture<AsyncResultSet>> attempt, Consumer<Throwable> failed, long patienceNanos) {
        Insistence insistence = new Insistence(attempt, failed, System.nanoTime() + patienceNanos);
        insistence.attempt();
        return insistence.result;
    }

    private void attempt() {
        try {
            CompletableFuture<AsyncResultSet> begun = attempt.get();
            CompletableFuture<AsyncResultSet> unused = begun.whenComplete((page, failure) -> {
                if (failure == null) {
                    result.complete(page);
                } else {
                    decide(TransactionFailures.rootOf(failure));
                }
            });
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private void decide(Throwable failure) {
        try {
            failed.accept(failure);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return;
        }
        long pause = pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis / 2 + 1);
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        boolean late = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) - deadlineNanos >= 0;
        if (late || !TransactionFailures.isPassing(failure)) {
            result.completeExceptionally(failure);
        } else {
            CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::attempt);
        }
    }
}
