/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what nobody reads any more, and tells what an earlier plugin has not, behind everything else: only scans wait
 * for some of it. Thread-safe.
 */
final class Housekeeping {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    /** With a page of a users' table. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Before a table that could not be looked through is tried again. */
    private static final long REST_NANOS = 600_000_000_000L;

    private static final long LOOK_NANOS = 500_000_000;

    private final LogTrim trim;
    private final int group;
    private final EditionCleanup cleanup;
    private final KeyBackfill backfill;
    private final StoreThreads threads;
    private final ExecutorService trimming;
    private final ExecutorService forgetting;
    private final ExecutorService telling;

    /** That was asked for last. */
    private final AtomicInteger newestEdition = new AtomicInteger();

    /** By lane. */
    private final AtomicLongArray floors;

    Housekeeping(LogKeyspace keyspace, List<Long> trimmed, StoreThreads threads, UserTables tables) {
        long[] lanes = trimmed.stream().mapToLong(Long::longValue).toArray();
        this.group = keyspace.group();
        this.trim = new LogTrim(keyspace, lanes);
        this.cleanup = new EditionCleanup(keyspace, tables);
        this.backfill = new KeyBackfill(keyspace, tables);
        this.threads = threads;
        this.trimming = threads.make("Trim", 1);
        this.forgetting = threads.make("Forget", 1);
        this.telling = threads.make("Keys", 1);
        this.floors = new AtomicLongArray(lanes);
    }

    /** Nobody reads the lane's log below the floor any more. */
    void trim(int lane, long floor) {
        long before = floors.getAndAccumulate(lane, floor, Math::max);
        if (LogPlaces.trimmed(floor) > LogPlaces.trimmed(before)) {
            threads.on(trimming, () -> trim(lane));
        }
    }

    private void trim(int lane) {
        while (true) {
            long floor = floors.get(lane);
            List<Mutation> next = trim.next(lane, floor);
            if (next.isEmpty()) {
                return;
            }
            write(next);
            write(List.of(trim.done(lane, floor)));
        }
    }

    /** @param then called when nothing is left, unless another edition has come meanwhile */
    void forgetEditions(int below, long count, Runnable then) {
        newestEdition.set(below);
        threads.on(forgetting, () -> {
            if (threads.tried("see which editions it has", () -> cleanup.isNeeded(below))) {
                forgetRows(below, count);
                List<TableMetadata> left = forgetStrays(below, count, TransactionTables.all(group));
                while (!left.isEmpty() && rest(below)) {
                    left = forgetStrays(below, count, left);
                }
                if (!left.isEmpty()) {
                    return;
                }
                write(List.of(cleanup.done(below)));
            }
            then.run();
        });
    }

    private void forgetRows(int below, long count) {
        @Nullable Long place = TokenScan.BEGINNING;
        while (place != null) {
            long from = place;
            EditionCleanup.Page page = threads.tried("look for rows to forget", () -> cleanup.page(below, count, from));
            for (Mutation deletion : page.deletions()) {
                write(List.of(deletion));
            }
            EditionCleanup.pause();
            place = page.next();
        }
    }

    /** Returns the tables that could not be looked through. */
    private List<TableMetadata> forgetStrays(int below, long count, List<TableMetadata> tables) {
        return tables.stream()
                .filter(table -> !forgetStrays(below, count, table))
                .toList();
    }

    /** Before another try. Returns false where there is none. */
    private boolean rest(int edition) {
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < REST_NANOS) {
            if (threads.isClosed() || newestEdition.get() != edition) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Returns whether all of the table was looked through: it may hold more deletions than Cassandra reads. */
    private boolean forgetStrays(int inUse, long count, TableMetadata table) {
        EditionCleanup.Strays page = null;
        long deleted = 0;
        do {
            EditionCleanup.Strays last = page;
            long begunNanos = System.nanoTime();
            try {
                page = Retries.until(
                        () -> threads.isClosed() || System.nanoTime() - begunNanos > PATIENCE_NANOS,
                        "look for rows of " + table + " that were deleted elsewhere",
                        () -> cleanup.strays(inUse, count, table.id.toString(), last));
            } catch (Retries.EndedException e) {
                if (threads.isClosed()) {
                    throw e;
                }
                log.warn(
                        "MeteorShower transactions: table {} could not be looked through for rows that were deleted before"
                                + " this data centre took a snapshot: reads at ONE may show some, transactions do not."
                                + " Scans wait until it could; it is looked through again in ten minutes",
                        table);
                return false;
            }
            if (!page.deletions().isEmpty()) {
                write(page.deletions());
                deleted += page.deletions().size();
            }
            EditionCleanup.pause();
        } while (page.next() != null);
        if (deleted > 0) {
            log.info(
                    "MeteorShower transactions: {} rows of table {} had come here by a repair and were deleted before this"
                            + " data centre took a snapshot; they are deleted here, too",
                    deleted,
                    table);
        }
        return true;
    }

    /** Tells the keys of all rows, so that ranges find those that an earlier plugin has written; then {@code then}. */
    void tellKeys(Runnable then) {
        behind(() -> {
            @Nullable Long place = TokenScan.BEGINNING;
            while (place != null) {
                long from = place;
                KeyBackfill.Page page = threads.tried("look for keys to tell", () -> backfill.page(from));
                if (!page.mutations().isEmpty()) {
                    write(page.mutations());
                    KeyBackfill.pause();
                }
                place = page.next();
            }
            then.run();
        });
    }

    /** What has to do with keys, one after the other. */
    void behind(Runnable work) {
        threads.on(telling, work);
    }

    void write(List<Mutation> mutations) {
        threads.tried("write behind everything else", () -> {
            LocalWrites.write(mutations, true);
            return mutations;
        });
    }
}
