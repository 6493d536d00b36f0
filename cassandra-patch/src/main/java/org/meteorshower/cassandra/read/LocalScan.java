/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.QueryCancelledException;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.utils.MonotonicClock;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Scan;

/**
 * A scan of this node's store, or of an index of it. What the store says of a partition that was written meanwhile does
 * not count: each such partition is read by itself at the cut, whether the index knows it or not, and filtered. Used by
 * one thread.
 */
public final class LocalScan implements OpenScan {
    /** More rows than this are not gathered for one answer. */
    static final int MOST_ROWS = 100_000;

    /** So many rows more are read than asked for: what is dropped has to be made up for. */
    private static final int SPARE_ROWS = 64;

    private final Scan scan;
    private final TokenRange range;
    private final long deadlineNanos;
    private final ByteAccount reads;
    private final GatheredRows held;

    LocalScan(Scan scan, TokenRange range, long deadlineNanos, ByteAccount reads) {
        this.scan = scan;
        this.range = range;
        this.deadlineNanos = deadlineNanos;
        this.reads = reads;
        this.held = gathering();
    }

    @Override
    public ReadInfo info() {
        return scan.info();
    }

    /** As {@link Scan#newestUpTo}. */
    public long newestUpTo(long mostMicros) throws RequestRefusedException, InterruptedException {
        return scan.newestUpTo(mostMicros);
    }

    /**
     * All that is read is read at this cut, which is among those that are kept. To be called before anything is.
     *
     * @throws RequestRefusedException with {@link Failure#CUT_GONE} where the scan is to begin anew
     */
    public void raise(long cutMicros) throws RequestRefusedException, InterruptedException {
        scan.raise(cutMicros);
    }

    /** To count what is gathered for one answer; to be given back. */
    public GatheredRows gathering() {
        return new GatheredRows(reads);
    }

    /** Whether it may be read in all of this range. */
    public boolean covers(AbstractBounds<PartitionPosition> bounds) {
        return range.covers(bounds);
    }

    @Override
    public List<ImmutableBTreePartition> rowsFor(PartitionRangeReadCommand page)
            throws RequestRefusedException, InterruptedException {
        int wanted = page.limits().count();
        int most = Math.min(wanted, MOST_ROWS);
        for (int limit = most + most / 8 + SPARE_ROWS; ; limit *= 2) {
            held.giveBack();
            Found found = readStore(page, limit);
            int reread = readStirred(page, found, limit);
            Tracing.trace(
                    "MeteorShower: scanned {} partitions, {} of them one by one", found.partitions.size(), reread);
            int rows = found.rows();
            if (rows >= wanted || (found.isComplete() && rows <= MOST_ROWS)) {
                return new ArrayList<>(found.partitions.values());
            } else if (rows > MOST_ROWS) {
                throw tooManyRows();
            }
        }
    }

    /**
     * The same of several commands, one after the other, until there are as many rows as each of them asks for.
     *
     * @param gathered takes what is found
     * @return for each command; for fewer where there are rows enough
     */
    public List<List<ImmutableBTreePartition>> rowsForEach(
            List<PartitionRangeReadCommand> commands, GatheredRows gathered)
            throws RequestRefusedException, InterruptedException {
        List<List<ImmutableBTreePartition>> found = new ArrayList<>();
        int rows = 0;
        for (PartitionRangeReadCommand command : commands) {
            int limit = command.limits().count();
            if (rows >= limit) {
                break;
            }
            List<ImmutableBTreePartition> some =
                    rowsFor(within(command, command.dataRange().keyRange(), limit - rows));
            for (ImmutableBTreePartition partition : some) {
                gathered.take(partition);
            }
            rows += GatheredRows.rowsOf(some);
            found.add(some);
        }
        return found;
    }

    /** The command for a part of its range, and so many rows. */
    public static PartitionRangeReadCommand within(
            PartitionRangeReadCommand page, AbstractBounds<PartitionPosition> bounds, int limit) {
        return PartitionRangeReadCommand.create(
                page.metadata(),
                page.nowInSec(),
                page.columnFilter(),
                page.rowFilter(),
                DataLimits.cqlLimits(limit),
                page.dataRange().forSubRange(bounds));
    }

    /** What was found so far, and up to which partition; null: to the end of the range. */
    private static final class Found {
        final NavigableMap<DecoratedKey, FilteredPartition> partitions = new TreeMap<>();

        @Nullable
        DecoratedKey last;

        boolean isComplete() {
            return last == null;
        }

        boolean reaches(DecoratedKey key) {
            return last == null || key.compareTo(last) <= 0;
        }

        int rows() {
            return GatheredRows.rowsOf(partitions.values());
        }
    }

    private Found readStore(PartitionRangeReadCommand page, int limit) throws RequestRefusedException {
        long atSeconds = info().cutMicros() / 1_000_000;
        DataLimits limits = DataLimits.cqlLimits(limit);
        PartitionRangeReadCommand command = PartitionRangeReadCommand.create(
                page.metadata(), atSeconds, page.columnFilter(), page.rowFilter(), limits, page.dataRange());
        DataLimits.Counter counter = limits.newCounter(
                atSeconds, true, command.selectsFullPartition(), page.metadata().enforceStrictLiveness());
        long leftNanos = Math.max(1, deadlineNanos - System.nanoTime());
        command.setMonitoringTime(MonotonicClock.Global.approxTime.now(), false, leftNanos, leftNanos);
        Found found = new Found();
        try (ReadExecutionController controller = command.executionController();
                PartitionIterator partitions = counter.applyTo(command.executeInternal(controller))) {
            while (partitions.hasNext()) {
                try (RowIterator rows = partitions.next()) {
                    FilteredPartition partition = FilteredPartition.create(rows);
                    found.partitions.put(partition.partitionKey(), partition);
                    take(partition);
                }
            }
        } catch (QueryCancelledException e) {
            throw tooLong();
        }
        if (!command.complete()) {
            throw tooLong(); // what there is ends where Cassandra stopped
        }
        // Looked at before it is asked what was stirred: what comes later is not in what was read.
        found.last = counter.isDone() ? found.partitions.lastKey() : null;
        return found;
    }

    private int readStirred(PartitionRangeReadCommand page, Found found, int limit)
            throws RequestRefusedException, InterruptedException {
        int reread = 0;
        for (PartitionKey stirred : scan.stirred()) {
            DecoratedKey key = page.metadata().partitioner.decorateKey(ByteBuffer.wrap(stirred.bytes()));
            if (page.dataRange().contains(key) && found.reaches(key)) {
                found.partitions.remove(key);
                FilteredPartition partition = readAtCut(page, key, stirred, limit);
                if (partition != null) {
                    found.partitions.put(key, partition);
                    take(partition);
                }
                reread++;
            }
        }
        return reread;
    }

    private @Nullable FilteredPartition readAtCut(
            PartitionRangeReadCommand page, DecoratedKey key, PartitionKey named, int limit)
            throws RequestRefusedException, InterruptedException {
        if (!named.table().equals(range.table())) {
            throw new IllegalStateException("a partition of another table: " + named);
        }
        // Without an index: that is of now, and its filter is the command's.
        SinglePartitionReadCommand command = SinglePartitionReadCommand.create(
                page.metadata(),
                0,
                page.columnFilter(),
                page.rowFilter(),
                DataLimits.cqlLimits(limit),
                key,
                page.dataRange().clusteringIndexFilter(key),
                null);
        return scan.read(
                        named,
                        (cutMicros, overlay) -> Optional.ofNullable(LocalFetch.read(command, cutMicros, overlay)))
                .orElse(null);
    }

    private void take(FilteredPartition partition) throws RequestRefusedException {
        held.take(partition);
        if (deadlineNanos - System.nanoTime() <= 0) {
            throw tooLong();
        }
    }

    static InvalidRequestException tooManyRows() {
        return new InvalidRequestException("MeteorShower: the answer has more than " + MOST_ROWS
                + " rows, too many to gather as of one time: page through it (a fetch size), or set a LIMIT");
    }

    private static RequestRefusedException tooLong() {
        return new RequestRefusedException(
                Failure.TIMED_OUT, "the scan took longer than range_request_timeout: ask for smaller pages or ranges");
    }

    @Override
    public void close() {
        held.end();
        scan.close();
    }
}
