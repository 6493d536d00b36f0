/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.StoredRow;

/**
 * A store that takes a millisecond for everything, on one thread. It has one version of each row, and no log: there is
 * no restart in these tests, and nobody who lags.
 */
final class MemoryStore implements Store, AutoCloseable {
    private final Map<RowKey, StoredRow> rows = new ConcurrentHashMap<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final long life;
    volatile long fence;

    MemoryStore(long life) {
        this.life = life;
        this.fence = life;
    }

    @Override
    public void persist(Effect.Persist persist, Consumer<Event> then) {
        on(() -> then.accept(new Event.Persisted(persist.batch(), fence)));
    }

    @Override
    public void readRows(Effect.ReadRows read, Consumer<Event> then) {
        on(() -> {
            Map<RowKey, StoredRow> found = new HashMap<>();
            read.rows().forEach(key -> found.put(key, rows.getOrDefault(key, StoredRow.NEVER_WRITTEN)));
            then.accept(new Event.RowsRead(read.edition(), found));
        });
    }

    @Override
    public void readKeys(Effect.ReadKeys read, Consumer<Event> then) {
        on(() -> then.accept(new Event.KeysRead(
                read.request(),
                rows.keySet().stream()
                        .filter(read.range()::contains)
                        .sorted(read.range().inOrder())
                        .toList(),
                false)));
    }

    @Override
    public void writeRows(Effect.WriteRows write, Consumer<Event> then) {
        on(() -> {
            write.rows().forEach(row -> rows.put(row.key(), row.row()));
            then.accept(new Event.RowsWritten(write.cut()));
        });
    }

    @Override
    public void writeChanges(Effect.WriteChanges write, Consumer<Event> then) {
        on(() -> then.accept(new Event.ChangesWritten()));
    }

    @Override
    public void readPage(Effect.ReadPage read, Consumer<Event> then) {
        on(() -> then.accept(new Event.PageRead(read.request(), Map.copyOf(rows), Map.of(), "")));
    }

    @Override
    public void writePage(Effect.WritePage write, Consumer<Event> then) {
        on(() -> {
            rows.putAll(write.rows());
            then.accept(new Event.PageWritten(write.request()));
        });
    }

    @Override
    public void forgetEditions(Effect.ForgetEditions forget, Consumer<Event> then) {}

    @Override
    public void readLog(Effect.ReadLog read, Consumer<Event> then) {
        on(() -> then.accept(new Event.LogRead(read.request(), read.lane(), read.from(), List.of())));
    }

    @Override
    public void readDue(Effect.ReadDue read, Consumer<Event> then) {
        on(() -> then.accept(new Event.DueRead(read.request(), List.of(), read.belowMillis(), Long.MAX_VALUE)));
    }

    @Override
    public void forgetDue(Effect.ForgetDue forget) {}

    private void on(Runnable work) {
        thread.execute(() -> {
            try {
                Thread.sleep(1);
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    long life() {
        return life;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
