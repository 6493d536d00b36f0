/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexNamesFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.NoSpamLogger;
import org.apache.cassandra.utils.memory.HeapCloner;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's tables as the middleware needs them. Thread-safe. */
public final class LocalStore implements Store, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalStore.class);

    /** A mutation that touches more rows than this goes without history: reads of those rows wait instead. */
    private static final int MAX_HISTORY_ROWS = 64;

    /** Settled and replayed mutations that wait to be applied; one more is dropped and offered again. */
    private static final int MAX_PENDING_APPLIES = 10_000;

    /** What one takes beside its data, about. */
    private static final int BYTES_EACH = 512;

    /** Each waits for the disk most of the time, where the journal or the commit log is forced for each mutation. */
    private static final int APPLYING_THREADS = 16;

    /** Others settle more than they do now and then. */
    private static final int CATCHING_UP = 8;

    private static final long IDLE_SECONDS = 10;

    private final Semaphore applies = new Semaphore(MAX_PENDING_APPLIES);
    private final ByteAccount applying;

    /**
     * Not Cassandra's mutation stage: a node that was down has thousands of mutations to catch up with, and clients'
     * writes would wait behind them until they time out.
     */
    private final ExecutorService threads = applyingThreads();

    /** @param applying what waits to be applied, which others sent; one more is dropped and offered again */
    public LocalStore(ByteAccount applying) {
        this.applying = applying;
    }

    private static ExecutorService applyingThreads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                APPLYING_THREADS,
                APPLYING_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreadFactory("MeteorShower-Settle"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @Override
    public History historyFor(Update update) {
        return rowsOf((CassandraUpdate) update);
    }

    /**
     * Whether this node would hold the same with the update as without it. No is also what is not looked at: ranges and
     * partitions that it deletes, and more than 64 rows.
     */
    public static boolean holds(CassandraUpdate update) {
        return rowsOf(update).shows(update);
    }

    private static RowHistory rowsOf(CassandraUpdate touched) {
        PartitionUpdate partition = touched.partitionUpdate();
        TableMetadata metadata = partition.metadata();
        List<Clustering<?>> clusterings = touched.clusterings();
        ColumnFamilyStore table = Schema.instance.getColumnFamilyStoreInstance(metadata.id);
        if (table == null || !touched.isRowwise() || clusterings.size() > MAX_HISTORY_ROWS) {
            return RowHistory.nothing(metadata);
        }
        NavigableSet<Clustering<?>> wanted = new TreeSet<>(metadata.comparator);
        wanted.addAll(clusterings);
        // Deletions are kept and nothing expires: as of which time the rows are read is decided when they are.
        SinglePartitionReadCommand read = SinglePartitionReadCommand.create(
                metadata,
                0,
                ColumnFilter.all(metadata),
                RowFilter.none(),
                DataLimits.NONE,
                partition.partitionKey(),
                new ClusteringIndexNamesFilter(wanted, false));
        try (ReadExecutionController controller = read.executionController();
                UnfilteredRowIterator found = read.queryMemtableAndDisk(table, controller)) {
            return historyOf(metadata, wanted, touched.touchesStaticRow(), ImmutableBTreePartition.create(found));
        }
    }

    private static RowHistory historyOf(
            TableMetadata metadata,
            NavigableSet<Clustering<?>> wanted,
            boolean wantStatic,
            ImmutableBTreePartition found) {
        NavigableMap<Clustering<?>, Row> rows = RowHistory.emptyRows(metadata);
        var partitionDeletion = found.deletionInfo().getPartitionDeletion();
        for (Clustering<?> clustering : wanted) {
            Row row = found.getRow(clustering);
            Row own = row == null ? BTreeRow.emptyRow(clustering) : row.clone(HeapCloner.instance);
            rows.put(clustering, RowHistory.shadowed(own, partitionDeletion));
        }
        return new RowHistory(metadata, rows, wantStatic ? staticRowOf(found) : null);
    }

    /** Null where the partition was deleted at some time: a static row cannot carry that deletion along. */
    private static @Nullable Row staticRowOf(ImmutableBTreePartition found) {
        if (!found.deletionInfo().getPartitionDeletion().isLive()) {
            return null;
        }
        return found.staticRow().isEmpty()
                ? Rows.EMPTY_STATIC_ROW
                : found.staticRow().clone(HeapCloner.instance);
    }

    @Override
    public void apply(Update update) {
        if (!applies.tryAcquire()) {
            return;
        }
        long held = BYTES_EACH + (long) update.sizeBytes();
        if (!applying.take(held)) {
            applies.release();
            return;
        }
        try {
            threads.execute(() -> applyNow(update, held));
        } catch (RejectedExecutionException e) {
            applies.release(); // the node goes down
            applying.giveBack(held);
        }
    }

    private void applyNow(Update update, long held) {
        try {
            new Mutation(((CassandraUpdate) update).partitionUpdate()).apply();
        } catch (RuntimeException e) {
            // A node that fills up refuses many of them.
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.WARN,
                    1,
                    TimeUnit.MINUTES,
                    "MeteorShower: could not apply {}; it will be tried again: {}",
                    update,
                    e.toString());
        } finally {
            applies.release();
            applying.giveBack(held);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Whether others are bringing this node what it has missed. */
    public boolean isCatchingUp() {
        return MAX_PENDING_APPLIES - applies.availablePermits() > CATCHING_UP;
    }

    /** Whether this node holds nothing of the table, neither in memory nor on disk. */
    public static boolean isEmpty(ColumnFamilyStore table) {
        return table.getLiveSSTables().isEmpty() && isInFiles(table);
    }

    /** Whether all that this node holds of the table is on disk. */
    public static boolean isInFiles(ColumnFamilyStore table) {
        for (var memtable : table.getTracker().getView().getAllMemtables()) {
            if (!memtable.isClean()) {
                return false;
            }
        }
        return true;
    }
}
