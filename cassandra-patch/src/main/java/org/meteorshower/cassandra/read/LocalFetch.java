/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.NavigableSet;
import java.util.function.Consumer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexNamesFilter;
import org.apache.cassandra.db.partitions.FilteredPartition;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.store.OverlaidRead;
import org.meteorshower.cassandra.store.RowHash;
import org.meteorshower.protocol.Awaited;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.Overlay;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.MeteorShower.ReadOutcome;
import org.meteorshower.runtime.RequestRefusedException;

/** Reads a partition that this node is a replica of. Thread-safe. */
public final class LocalFetch implements LocatedFetch {
    /** What a read that waits takes beside its key, about; what it has read is its thread's. */
    private static final int BYTES_EACH = 4_096;

    private final MeteorShower meteorShower;
    private final Consumer<Awaited> waited;
    private final OnlineCheck check;
    private final ByteAccount reads;

    /**
     * @param waited hears of each read that had to wait, and for what
     * @param reads that are under way; one more is refused
     */
    public LocalFetch(MeteorShower meteorShower, Consumer<Awaited> waited, OnlineCheck check, ByteAccount reads) {
        this.reads = reads;
        this.check = check;
        this.meteorShower = meteorShower;
        this.waited = waited;
    }

    @Override
    public FetchedPartition fetch(LocatedRead located, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        long held = BYTES_EACH + (long) located.key().bytes().length;
        if (!reads.take(held)) {
            throw new RequestRefusedException(
                    Failure.OVERLOADED,
                    "reads of " + reads.used() + " bytes wait at the replica, and " + reads.limit()
                            + " are the most (memory.waiting_reads).");
        }
        try {
            return fetchNow(located, terms);
        } finally {
            reads.giveBack(held);
        }
    }

    private FetchedPartition fetchNow(LocatedRead located, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        SinglePartitionReadCommand command = located.command();
        PartitionKey key = located.key();
        long row = rowOf(command);
        ReadOutcome<java.util.Optional<FilteredPartition>> outcome = meteorShower.read(
                key,
                located.group(),
                row,
                terms.tokenMicros(),
                terms.mode(),
                terms.deadlineNanos(),
                (cutMicros, overlay) -> java.util.Optional.ofNullable(read(command, cutMicros, overlay)));
        Awaited awaited = outcome.info().awaited();
        if (awaited != null) {
            waited.accept(awaited);
            Tracing.trace("MeteorShower: the read waited: {}", awaited.text());
        }
        FilteredPartition rows = outcome.value().orElse(null);
        if (PlacementKeeper.isOnRing()) { // else nobody is told this answer
            check.answered(key, terms.tokenMicros(), outcome.info().cutMicros(), command, row, rows);
        }
        return new FetchedPartition(rows, outcome.info());
    }

    static @Nullable FilteredPartition read(
            SinglePartitionReadCommand command, long cutMicros, @Nullable Overlay overlay) {
        // Cells expire as of the cut, so that every node that answers at this cut sees the same ones.
        SinglePartitionReadCommand atCut = LocatedRead.asOf(command, cutMicros / 1_000_000);
        SinglePartitionReadCommand overlaid = OverlaidRead.of(atCut, overlay);
        try (ReadExecutionController controller = overlaid.executionController();
                PartitionIterator partitions = overlaid.executeInternal(controller)) {
            if (!partitions.hasNext()) {
                return null;
            }
            try (RowIterator rows = partitions.next()) {
                return FilteredPartition.create(rows);
            }
        }
    }

    /** The hash of the only row that the command can return, or {@link Update#ANY_ROW}. */
    static long rowOf(SinglePartitionReadCommand command) {
        if (command.columnFilter().fetchedColumns().statics.isEmpty()
                && command.clusteringIndexFilter() instanceof ClusteringIndexNamesFilter names) {
            NavigableSet<Clustering<?>> rows = names.requestedRows();
            if (rows.size() == 1) {
                return RowHash.of(rows.first());
            }
        }
        return Update.ANY_ROW;
    }
}
