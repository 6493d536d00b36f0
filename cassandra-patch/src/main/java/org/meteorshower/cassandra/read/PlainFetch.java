/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;

/** Cassandra's own read, with this node as its coordinator. Thread-safe. */
final class PlainFetch implements LocatedFetch {
    /** Timestamps that a client has set further ahead are not those of writes that a session must come after. */
    private static final long MOST_AHEAD_MICROS = 1_000_000;

    private final ConsistencyLevel level;

    PlainFetch(ConsistencyLevel level) {
        this.level = level;
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms) {
        FilteredPartition rows = rowsOf(read.command());
        long latestMicros = rows == null ? 0 : latestMicros(rows);
        return new FetchedPartition(rows, new ReadInfo(latestMicros, Served.PLAIN, 0));
    }

    private @Nullable FilteredPartition rowsOf(SinglePartitionReadCommand command) {
        try (PartitionIterator partitions = StorageProxy.read(
                // The command itself would have its rows fetched here again.
                SinglePartitionReadCommand.Group.one(LocatedRead.asOf(command, FBUtilities.nowInSeconds())),
                level,
                Dispatcher.RequestTime.forImmediateExecution())) {
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
