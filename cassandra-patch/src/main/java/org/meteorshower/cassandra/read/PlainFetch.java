/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;

/**
 * Cassandra's own read, with this node as its coordinator. It ends with the client's time, as Cassandra's options may
 * have it sooner; one of all replicas sooner than that, since soon a majority may be enough. Thread-safe.
 */
final class PlainFetch implements LocatedFetch {
    /** Timestamps that a client has set further ahead are not those of writes that a session must come after. */
    private static final long MOST_AHEAD_MICROS = 1_000_000;

    /** That long one of all replicas may take, or for half of the time that is left, if that is longer. */
    private static final long LEAST_OF_ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ConsistencyLevel level;

    PlainFetch(ConsistencyLevel level) {
        this.level = level;
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms) {
        FilteredPartition rows = rowsOf(read.command(), timeUntil(endNanos(terms.lastNanos(), System.nanoTime())));
        long latestMicros = rows == null ? 0 : latestMicros(rows);
        return new FetchedPartition(rows, new ReadInfo(latestMicros, Served.PLAIN, 0));
    }

    /** When such a read ends at the latest. */
    long endNanos(long deadlineNanos, long nowNanos) {
        if (level != ConsistencyLevel.ALL) {
            return deadlineNanos;
        }
        long left = deadlineNanos - nowNanos;
        return nowNanos + Math.min(left, Math.max(left / 2, LEAST_OF_ALL_NANOS));
    }

    /** As if the request had come in when one that ends then has to; Cassandra measures it from when it is begun. */
    private static RequestTime timeUntil(long endNanos) {
        long nowNanos = System.nanoTime();
        long longest = DatabaseDescriptor.getCQLStartTime() == Config.CQLStartTime.QUEUE
                ? DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS)
                : DatabaseDescriptor.getNativeTransportTimeout(TimeUnit.NANOSECONDS);
        return new RequestTime(Math.min(nowNanos, endNanos - longest), nowNanos);
    }

    private @Nullable FilteredPartition rowsOf(SinglePartitionReadCommand command, RequestTime time) {
        try (PartitionIterator partitions = StorageProxy.read(
                // The command itself would have its rows fetched here again.
                SinglePartitionReadCommand.Group.one(LocatedRead.asOf(command, FBUtilities.nowInSeconds())),
                level,
                time)) {
            if (!partitions.hasNext()) {
                return null;
            }
            try (RowIterator rows = partitions.next()) {
                return FilteredPartition.create(rows);
            }
        }
    }

    private static long latestMicros(ImmutableBTreePartition rows) {
        long mostMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + MOST_AHEAD_MICROS;
        long latest = latestMicros(rows.staticRow(), mostMicros);
        for (Row row : rows) {
            latest = Math.max(latest, latestMicros(row, mostMicros));
        }
        return latest;
    }

    private static long latestMicros(Row row, long mostMicros) {
        long latest = Math.max(0, atMost(row.primaryKeyLivenessInfo().timestamp(), mostMicros));
        for (Cell<?> cell : row.cells()) {
            latest = Math.max(latest, atMost(cell.timestamp(), mostMicros));
        }
        return latest;
    }

    private static long atMost(long micros, long mostMicros) {
        return micros > mostMicros ? 0 : micros;
    }
}
