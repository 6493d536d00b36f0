/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.meteorshower.checker.Operation;

/** Does nothing, on another thread, as a driver would: what it measures is the load generator itself. */
final class NoOpRowClient implements RowClient {
    private static final Answer NOTHING = new Answer(null, null);

    private final Executor executor;

    NoOpRowClient(Executor executor) {
        this.executor = executor;
    }

    @Override
    public CompletionStage<Answer> read(int row) {
        return CompletableFuture.supplyAsync(() -> NOTHING, executor);
    }

    @Override
    public CompletionStage<Long> write(int row, String value) {
        return CompletableFuture.supplyAsync(() -> Operation.NO_VERSION, executor);
    }

    @Override
    public boolean mayHaveTakenEffect(Throwable failure) {
        return false;
    }
}
