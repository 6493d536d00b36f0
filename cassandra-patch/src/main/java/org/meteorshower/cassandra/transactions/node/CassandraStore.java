/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.runtime.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This data centre's replicas as one process's store. Its threads are its own; none of Cassandra's waits for it. Thread-safe. */
final class CassandraStore implements Store, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CassandraStore.class);

    /** As many batches as a core has under way. */
    private static final int PERSISTING_THREADS = 4;

    private static final int ROW_THREADS = 4;

    /** Rows that one thread reads before it tells, and that are written at a time. */
    private static final int ROWS_AT_ONCE = 32;

    /** A version that nothing has which the core knows of: it then stops, as it must where another has taken its place. */
    private static final long OF_ANOTHER_PROCESS = Long.MAX_VALUE;

    private final DurableMutations mutations;
    private final long life;
    private final Fence fence;
    private final StateRows state;
    private final UserTables tables;
    private final ExecutorService persisting =
            Executors.newFixedThreadPool(PERSISTING_THREADS, new NamedThreadFactory("MeteorShower-Persist"));
    private final ExecutorService rows =
            Executors.newFixedThreadPool(ROW_THREADS, new NamedThreadFactory("MeteorShower-Rows"));
    private volatile boolean closed;

    CassandraStore(LogKeyspace keyspace, long life, Fence fence, UserTables tables) {
        this.mutations = new DurableMutations(keyspace, life);
        this.life = life;
        this.fence = fence;
        this.state = new StateRows(keyspace);
        this.tables = tables;
    }

    @Override
    public void persist(Effect.Persist persist, Consumer<Event> then) {
        on(persisting, () -> {
            List<Mutation> batch = mutations.of(persist.records());
            tried("write to its log", () -> {
                LocalWrites.write(batch, false);
                return batch;
            });
            long life = tried("read the fence", fence::life);
            then.accept(new Event.Persisted(persist.batch(), life));
        });
    }

    @Override
    public void readRows(Effect.ReadRows read, Consumer<Event> then) {
        List<RowKey> keys = List.copyOf(read.rows());
        for (int from = 0; from < keys.size(); from += ROWS_AT_ONCE) {
            List<RowKey> some = keys.subList(from, Math.min(keys.size(), from + ROWS_AT_ONCE));
            on(rows, () -> {
                Map<RowKey, StoredRow> found = new HashMap<>();
                some.forEach(key -> found.put(key, tried("read rows", () -> row(key))));
                then.accept(new Event.RowsRead(read.contents(), found));
            });
        }
    }

    private StoredRow row(RowKey key) {
        StoredRow written = state.read(key);
        if (written != null) {
            return written;
        }
        UserTables.Found found = tables.read(key);
        if (found.writtenLater()) {
            if (fence.life() != life) {
                return new StoredRow(OF_ANOTHER_PROCESS, found.row());
            }
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.WARN,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: row {} was written past the transactions, by a client or a repair. They"
                            + " leave out what was; if it is not the same in all data centres, these may differ from now on",
                    key);
        }
        return new StoredRow(StoredRow.NEVER_WRITTEN.version(), found.row());
    }

    @Override
    public void writeRows(Effect.WriteRows write, Consumer<Event> then) {
        on(rows, () -> {
            writeAll(write.rows());
            then.accept(new Event.RowsWritten(write.flush()));
        });
    }

    /** First all that transactions go by, then what users see. Written twice, nothing changes. */
    private void writeAll(Map<RowKey, StoredRow> written) {
        List<Mutation> batch = new ArrayList<>();
        for (Map.Entry<RowKey, StoredRow> row : written.entrySet()) {
            batch.add(state.mutation(row.getKey(), row.getValue()));
            if (batch.size() == ROWS_AT_ONCE) {
                write(batch);
            }
        }
        write(batch);
        for (Map.Entry<RowKey, StoredRow> row : written.entrySet()) {
            batch.addAll(tables.mutations(row.getKey(), row.getValue()));
            if (batch.size() >= ROWS_AT_ONCE) {
                write(batch);
            }
        }
        write(batch);
    }

    private void write(List<Mutation> batch) {
        tried("write rows", () -> {
            LocalWrites.write(batch, true);
            return batch;
        });
        batch.clear();
    }

    @Override
    public void readTables(Effect.ReadTables read, Consumer<Event> then) {
        on(rows, () -> then.accept(new Event.TablesRead(read.request(), tried("read all rows", state::readAll))));
    }

    @Override
    public void replaceTables(Effect.ReplaceTables replace, Consumer<Event> then) {
        on(rows, () -> {
            Map<RowKey, StoredRow> wanted = new TreeMap<>(replace.rows());
            long newest =
                    wanted.values().stream().mapToLong(StoredRow::version).max().orElse(0);
            for (RowKey key : tried("read all rows", state::readAll).keySet()) {
                wanted.putIfAbsent(key, new StoredRow(newest, Row.ABSENT));
            }
            writeAll(wanted);
            then.accept(new Event.TablesReplaced(replace.request()));
        });
    }

    private <T> T tried(String what, Supplier<T> action) {
        return Retries.until(() -> closed, what, action);
    }

    private void on(ExecutorService threads, Runnable work) {
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } catch (Retries.EndedException e) {
                    log.debug("MeteorShower transactions: ended in the midst of its work");
                } catch (RuntimeException | Error e) {
                    if (closed) {
                        log.debug("MeteorShower transactions: interrupted in its work, since it has ended", e);
                        return;
                    }
                    // The core waits for it for ever, which is safe, and shows.
                    log.error(
                            "MeteorShower transactions: work for the store failed, and what waits for it stands still",
                            e);
                    Fatal.report(e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("MeteorShower transactions: ended before its work began");
        }
    }

    @Override
    public void close() {
        closed = true;
        persisting.shutdownNow();
        rows.shutdownNow();
    }
}
