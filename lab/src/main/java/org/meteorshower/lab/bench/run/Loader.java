/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.meteorshower.lab.cluster.ClusterException;

/** Writes the rows of a run before it, and writes that down: a history begins with empty rows. For one thread. */
final class Loader {
    private static final long LIMIT_MINUTES = 5;

    /** Nodes that were started just now, on a busy machine, do not always answer in time. */
    private static final int ATTEMPTS = 5;

    private final HistoryBook book;
    private final int firstRow;
    private final int rows;
    private final String padding;

    /** @param firstRow those from here are written, as many as {@code rows} */
    Loader(HistoryBook book, int firstRow, int rows, int valueBytes) {
        this.book = book;
        this.firstRow = firstRow;
        this.rows = rows;
        padding = ".".repeat(valueBytes);
    }

    /**
     * Writes, each client its part of the rows one after the other; returns when all are written.
     *
     * @throws ClusterException where one cannot be
     */
    void load(List<RowClient> clients) {
        List<CompletableFuture<Void>> parts = new ArrayList<>();
        for (int part = 0; part < clients.size(); part++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            parts.add(done);
            next(clients.get(part), book.page("load" + part), part, clients.size(), 1, done);
        }
        try {
            CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).get(LIMIT_MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while the rows were written", e);
        } catch (ExecutionException e) {
            throw new ClusterException("the rows could not be written: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new ClusterException(
                    "the rows were not written within " + LIMIT_MINUTES + " minutes; give the workload fewer rows", e);
        }
    }

    private void next(
            RowClient client, HistoryBook.Page page, int row, int step, int attempt, CompletableFuture<Void> done) {
        if (row >= rows || done.isDone()) {
            done.complete(null);
            return;
        }
        // An attempt more is a write more, with a value of its own.
        String mark = page.session() + "-" + row + (attempt == 1 ? "" : "-" + attempt);
        long start = System.nanoTime();
        try {
            client.write(firstRow + row, Slot.padded(mark, padding)).whenComplete((version, failure) -> {
                if (failure != null && attempt < ATTEMPTS) {
                    page.failedWrite(
                            Slot.key(firstRow + row),
                            mark,
                            start,
                            System.nanoTime(),
                            client.mayHaveTakenEffect(failure));
                    next(client, page, row, step, attempt + 1, done);
                    return;
                } else if (failure != null) {
                    done.completeExceptionally(failure);
                    return;
                }
                page.written(Slot.key(firstRow + row), mark, start, System.nanoTime(), version);
                next(client, page, row + step, step, 1, done);
            });
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }
}
