/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One session: does one operation at a time, on a row that it draws, and writes down what it saw. One thread at a time;
 * who starts it and who completes it hand it over through a lock.
 */
final class Slot implements Session {
    private static final char END_OF_VALUE = '.';

    private final RowClient client;
    private final String dc;
    private final HistoryBook.Page page;
    private final RowChooser rows;
    private final int firstRow;
    private final double readShare;
    private final String padding;
    private final RandomGenerator random;
    private final Executor elsewhere;
    private int values;

    /**
     * @param dc the client's
     * @param firstRow its table's rows before it belong to earlier runs
     * @param elsewhere where it goes on after an operation that ended at once, lest the stack grow
     */
    Slot(
            RowClient client,
            String dc,
            HistoryBook.Page page,
            RowChooser rows,
            int firstRow,
            double readShare,
            int valueBytes,
            RandomGenerator random,
            Executor elsewhere) {
        this.client = client;
        this.dc = dc;
        this.page = page;
        this.rows = rows;
        this.firstRow = firstRow;
        this.readShare = readShare;
        this.random = random;
        this.elsewhere = elsewhere;
        padding = String.valueOf(END_OF_VALUE).repeat(valueBytes);
    }

    @Override
    public void start(long intendedNanos, Measurement measurement, Runnable done) {
        int row = firstRow + rows.next(random);
        if (random.nextDouble() < readShare) {
            read(row, intendedNanos, measurement, done);
        } else {
            write(row, intendedNanos, measurement, done);
        }
    }

    private void read(int row, long intendedNanos, Measurement measurement, Runnable done) {
        long start = System.nanoTime();
        whenComplete(started(() -> client.read(row)), (answer, failure) -> {
            long end = System.nanoTime();
            if (failure == null) {
                page.read(key(row), marked(answer.value()), start, end);
                measurement.read(dc, intendedNanos, start, end, answer.info());
            } else {
                // A read without an answer says nothing, so the history does without it.
                measurement.failed(Op.READ, intendedNanos, String.valueOf(failure));
            }
            done.run();
        });
    }

    private void write(int row, long intendedNanos, Measurement measurement, Runnable done) {
        values++;
        String mark = page.session() + "-" + values;
        String value = padded(mark, padding);
        long start = System.nanoTime();
        whenComplete(started(() -> client.write(row, value)), (version, failure) -> {
            long end = System.nanoTime();
            if (failure == null) {
                page.written(key(row), mark, start, end, version);
                measurement.written(dc, intendedNanos, start, end);
            } else {
                page.failedWrite(key(row), mark, start, end, client.mayHaveTakenEffect(failure));
                measurement.failed(Op.WRITE, intendedNanos, String.valueOf(failure));
            }
            done.run();
        });
    }

    private interface Call<T> {
        CompletionStage<T> start();
    }

    /** What a driver throws at once is an answer, too. */
    private static <T> CompletionStage<T> started(Call<T> call) {
        try {
            return call.start();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> void whenComplete(CompletionStage<T> stage, BiConsumer<T, @Nullable Throwable> end) {
        if (stage.toCompletableFuture().isDone()) {
            stage.whenCompleteAsync(end, elsewhere);
        } else {
            stage.whenComplete(end);
        }
    }

    static String key(int row) {
        return Integer.toString(row);
    }

    /** As long as the padding, unless the mark alone is longer. */
    static String padded(String mark, String padding) {
        return mark + (mark.length() < padding.length() ? padding.substring(mark.length()) : "");
    }

    /** What makes a value unique, without its padding. */
    private static @Nullable String marked(@Nullable String value) {
        int end = value == null ? -1 : value.indexOf(END_OF_VALUE);
        return value == null || end < 0 ? value : value.substring(0, end);
    }
}
