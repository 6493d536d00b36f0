/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.StoredRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows, many at a time, and tells of a few together. Thread-safe. */
final class RowReading {
    private static final Logger log = LoggerFactory.getLogger(RowReading.class);

    /** Rows that are told together. */
    private static final int TOGETHER = 8;

    private final RowVersions versions;
    private final UserTables tables;
    private final Fence fence;
    private final long life;
    private final StoreThreads threads;
    private final ExecutorService reading;

    RowReading(
            RowVersions versions,
            UserTables tables,
            Fence fence,
            long life,
            StoreThreads threads,
            ExecutorService reading) {
        this.versions = versions;
        this.tables = tables;
        this.fence = fence;
        this.life = life;
        this.threads = threads;
        this.reading = reading;
    }

    /**
     * @param unsure whether the row may have had a version that was forgotten: it is what the users' table had, or
     *     absent, or what it is follows from a later version alone
     * @param writtenLater whether what users had has been written since, though not by a transaction that this data
     *     centre has executed
     */
    private record Found(RowKey key, StoredRow row, boolean unsure, boolean writtenLater) {
        static Found of(RowKey key, StoredRow row) {
            return new Found(key, row, row.version() == 0 || !row.row().exists(), false);
        }
    }

    /** Does not block. */
    void read(Effect.ReadRows read, Consumer<Event> then) {
        if (read.rows().size() == 1) {
            read(read, List.copyOf(read.rows()), then);
            return;
        }
        threads.on(reading, () -> {
            List<RowKey> toRead = new ArrayList<>();
            List<Found> ofNew = new ArrayList<>();
            for (RowKey key : read.rows()) {
                if (threads.tried("read rows", () -> isNew(read.edition(), key))) {
                    ofNew.add(new Found(key, StoredRow.NEVER_WRITTEN, true, false));
                } else {
                    toRead.add(key);
                }
            }
            for (int from = 0; from < toRead.size(); from += TOGETHER) {
                read(read, toRead.subList(from, Math.min(toRead.size(), from + TOGETHER)), then);
            }
            if (!ofNew.isEmpty()) {
                then.accept(new Event.RowsRead(read.edition(), judged(ofNew)));
            }
        });
    }

    /** Whether there is surely nothing to be read: then a thread for each row would have little to do. */
    private boolean isNew(int edition, RowKey key) {
        return versions.hasNothing(edition, key) && tables.hasNothing(key);
    }

    private void read(Effect.ReadRows read, List<RowKey> some, Consumer<Event> then) {
        ConcurrentLinkedQueue<Found> found = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(some.size());
        for (RowKey key : some) {
            threads.on(reading, () -> {
                found.add(threads.tried("read rows", () -> row(read.edition(), read.below(), key)));
                if (left.decrementAndGet() == 0) {
                    then.accept(new Event.RowsRead(read.edition(), judged(found)));
                }
            });
        }
    }

    private Found row(int edition, long below, RowKey key) {
        StoredRow written = versions.read(edition, below, key);
        if (written != null) {
            return Found.of(key, written);
        }
        UserTables.Found found = tables.read(key);
        StoredRow row = new StoredRow(StoredRow.NEVER_WRITTEN.version(), found.row());
        return new Found(key, row, true, found.writtenLater());
    }

    /**
     * The fence is read after the rows were: who has it, and it alone, may have forgotten an edition or purged a row,
     * after it took the fence; it may also have written the row again since, with no version before. Where the fence is
     * still this process's, what has no version never had one that this process may read.
     */
    private Map<RowKey, StoredRow> judged(Iterable<Found> all) {
        Map<RowKey, StoredRow> rows = new HashMap<>();
        List<Found> unsure = new ArrayList<>();
        for (Found each : all) {
            rows.put(each.key, each.row);
            if (each.unsure) {
                unsure.add(each);
            }
        }
        if (unsure.isEmpty()) {
            return rows;
        }
        boolean own = threads.tried("read the fence", fence::life) == life;
        for (Found each : unsure) {
            if (!own) {
                rows.put(each.key, new StoredRow(StoredRow.PAST_GONE, each.row.row()));
            } else if (each.writtenLater) {
                warn(each.key);
            }
        }
        return rows;
    }

    private static void warn(RowKey key) {
        NoSpamLogger.log(
                log,
                NoSpamLogger.Level.WARN,
                10,
                TimeUnit.SECONDS,
                "MeteorShower transactions: row {} was written past the transactions, by a client or a repair. They"
                        + " leave out what was; if it is not the same in all data centres, these may differ from now on",
                key);
    }
}
