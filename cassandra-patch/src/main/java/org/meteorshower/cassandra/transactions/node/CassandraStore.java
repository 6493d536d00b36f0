/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.cassandra.db.Mutation;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.runtime.Store;

/**
 * This data centre's replicas as one process's store. Its threads are its own; none of Cassandra's waits for it.
 * Thread-safe.
 */
final class CassandraStore implements Store, AutoCloseable {
    /** As many batches as a core has under way. */
    private static final int PERSISTING_THREADS = 4;

    private static final int READING_THREADS = 64;

    /** Chunks of rows that are written at a time. */
    private static final int WRITING_THREADS = 4;

    /** Pages of rows or of the log that are read at a time: clients' requests go before them. */
    private static final int PAGING_THREADS = 2;

    /** Rows of which the sizes are looked at together. */
    private static final int ROWS_SIZED = 512;

    private final LogKeyspace keyspace;
    private final LogExtent extent;
    private final long life;
    private final Fence fence;
    private final KeyCopies copies;
    private final AtomicBoolean tellingKeys = new AtomicBoolean();
    private volatile boolean keysAreTold;
    private final RowVersions versions;
    private final RowPages pages;
    private final LogReader reader;
    private final Housekeeping housekeeping;
    private final Written written = new Written();
    private final RowReading rowReading;
    private final KeyReading keyReading;
    private final DueRows due;
    private final RowWriting rowWriting;
    private final ChangeWriting changeWriting;
    private final StoreThreads threads = new StoreThreads();
    private final ExecutorService persisting = threads.make("Persist", PERSISTING_THREADS);
    private final ExecutorService reading = threads.make("Read-Rows", READING_THREADS);
    private final ExecutorService writers = threads.make("Write-Rows", WRITING_THREADS);
    private final ExecutorService changeWriter = threads.make("Write-Changes", 1);
    private final ExecutorService paging = threads.make("Read-Pages", PAGING_THREADS);

    /**
     * @param extent of the log, and
     * @param trimmed how far it was deleted, as the last process left it
     * @param changeBytes that the change stream may take on disk
     */
    CassandraStore(
            LogKeyspace keyspace,
            LogExtent extent,
            List<Long> trimmed,
            long life,
            Fence fence,
            UserTables tables,
            long changeBytes) {
        this.keyspace = keyspace;
        this.extent = extent;
        this.life = life;
        this.fence = fence;
        versions = new RowVersions(keyspace);
        pages = new RowPages(keyspace, ROWS_SIZED);
        reader = new LogReader(keyspace);
        housekeeping = new Housekeeping(keyspace, trimmed, threads, tables);
        rowReading = new RowReading(versions, tables, fence, life, threads, reading);
        RowKeys keys = new RowKeys(keyspace, tables);
        Writer writer = new Writer();
        copies = new KeyCopies(keys, tables, threads, housekeeping);
        keyReading = new KeyReading(keys, tables, copies, fence, life, threads, reading);
        due = new DueRows(keyspace, versions, life, writer::write);
        rowWriting = new RowWriting(versions, keys, due, tables, writer, writers);
        changeWriting = new ChangeWriting(keyspace, tables, changeBytes, writer::write);
    }

    @Override
    public void persist(Effect.Persist persist, Consumer<Event> then) {
        threads.on(persisting, () -> {
            List<Mutation> batch = DurableMutations.of(persist.records(), keyspace, extent);
            threads.tried("write to its log", () -> {
                LocalWrites.write(batch, false);
                return batch;
            });
            persist.records().forEach(record -> record.handOver(written));
            long now = threads.tried("read the fence", fence::life);
            then.accept(new Event.Persisted(persist.batch(), now));
        });
    }

    /** What is to be done when a record is written: the log has grown, or may be made shorter. */
    private final class Written implements Durable.Handler {
        @Override
        public void on(Durable.Accept accept) {
            extent.written(accept.lane(), LogPlaces.bucket(accept.position()));
        }

        @Override
        public void on(Durable.Learned learned) {
            extent.written(learned.lane(), LogPlaces.bucket(learned.position()));
        }

        @Override
        public void on(Durable.Truncate truncate) {
            housekeeping.trim(truncate.lane(), truncate.floor());
        }

        @Override
        public void on(Durable.Promise promise) {}

        @Override
        public void on(Durable.Settled settled) {}

        @Override
        public void on(Durable.Barred barred) {}

        @Override
        public void on(Durable.Generation generation) {}

        @Override
        public void on(Durable.Installing installing) {}

        @Override
        public void on(Durable.Done done) {}
    }

    @Override
    public void readRows(Effect.ReadRows read, Consumer<Event> then) {
        rowReading.read(read, then);
    }

    @Override
    public void readKeys(Effect.ReadKeys read, Consumer<Event> then) {
        keyReading.read(read, then);
    }

    @Override
    public void writeRows(Effect.WriteRows write, Consumer<Event> then) {
        write(write.edition(), write.rows(), () -> then.accept(new Event.RowsWritten(write.cut())));
    }

    @Override
    public void writeChanges(Effect.WriteChanges write, Consumer<Event> then) {
        threads.on(changeWriter, () -> {
            threads.tried("store its change stream", () -> changeWriting.write(write.changes()));
            then.accept(new Event.ChangesWritten());
        });
    }

    @Override
    public void writePage(Effect.WritePage write, Consumer<Event> then) {
        write(write.edition(), write.writes(), () -> then.accept(new Event.PageWritten(write.request())));
    }

    private void write(int edition, List<RowWrite> rows, Runnable then) {
        threads.on(writers, () -> {
            var unused = rowWriting.write(edition, rows).whenComplete((done, failure) -> {
                if (failure == null) {
                    then.run();
                } else {
                    threads.failed(failure);
                }
            });
        });
    }

    private final class Writer implements RowWriting.Writer {
        private static final long NOT_AGAIN_NANOS = 10_000_000_000L;
        private static final long NEVER = Long.MIN_VALUE;

        private volatile long lastMissedNanos = NEVER;

        @Override
        public void write(List<Mutation> mutations) {
            threads.tried("write rows", () -> {
                LocalWrites.write(mutations, true);
                return mutations;
            });
        }

        /** A replica that has just died holds up some of them, and not each. */
        @Override
        public List<Mutation> writeToAll(List<Mutation> mutations) {
            long now = System.nanoTime();
            if (lastMissedNanos != NEVER && now - lastMissedNanos < NOT_AGAIN_NANOS) {
                return List.of();
            }
            List<Mutation> written = LocalWrites.writeToAll(mutations);
            if (written.size() < mutations.size()) {
                lastMissedNanos = System.nanoTime();
            }
            return written;
        }
    }

    @Override
    public void readPage(Effect.ReadPage read, Consumer<Event> then) {
        threads.on(paging, () -> {
            RowPages.Page page = threads.tried(
                    "read a page of rows", () -> pages.read(read.edition(), read.below(), read.place(), read.bytes()));
            Map<RowKey, Row> bases = read.withBases()
                    ? threads.tried(
                            "read what rows were before",
                            () -> versions.bases(page.rows().keySet()))
                    : Map.of();
            // A younger process does not know what this one's snapshot is to keep: rows may be missing.
            if (threads.tried("read the fence", fence::life) == life) {
                then.accept(new Event.PageRead(read.request(), page.rows(), bases, page.next()));
            }
        });
    }

    /**
     * Whether the keys of all rows are told, also of those that an earlier plugin has written, and that users had
     * before transactions. The first call begins with it. Does not block.
     *
     * @param tables those that take part
     */
    boolean hasAllKeys(List<String> tables) {
        if (tellingKeys.compareAndSet(false, true)) {
            housekeeping.tellKeys(() -> keysAreTold = true);
        }
        copyKeys(tables);
        return keysAreTold && copies.haveAll(tables);
    }

    /** Begins to tell the keys of rows that users had before, of those tables of which that is not done. */
    void copyKeys(List<String> tables) {
        copies.begin(tables);
    }

    @Override
    public void forgetEditions(Effect.ForgetEditions forget, Consumer<Event> then) {
        housekeeping.forgetEditions(
                forget.below(), forget.count(), () -> then.accept(new Event.EditionsForgotten(forget.below())));
    }

    @Override
    public void readLog(Effect.ReadLog read, Consumer<Event> then) {
        threads.on(paging, () -> {
            List<Entry> entries = threads.tried(
                    "read its log", () -> reader.read(read.lane(), read.from(), read.below(), read.bytes()));
            then.accept(new Event.LogRead(read.request(), read.lane(), read.from(), entries));
        });
    }

    @Override
    public void readDue(Effect.ReadDue read, Consumer<Event> then) {
        threads.on(paging, () -> then.accept(threads.tried("read which rows are due", () -> due.read(read))));
    }

    @Override
    public void forgetDue(Effect.ForgetDue forget) {
        threads.on(
                paging,
                () -> threads.tried("forget which rows were due", () -> {
                    due.forget(forget.belowMillis());
                    return forget;
                }));
    }

    @Override
    public void close() {
        threads.close();
    }
}
