/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;

/**
 * Other nodes that read parts of a scan. Futures end with a {@link java.util.concurrent.CompletionException} whose
 * cause is a {@link org.meteorshower.runtime.RequestRefusedException} where the other node refuses, and with other ones
 * where it does not answer. They end in any case. Thread-safe.
 */
public interface ScansElsewhere {
    /** Those that live, the nearest first, without this one. */
    List<NodeId> nearestFirst(Collection<NodeId> nodes);

    /**
     * Opens a scan there.
     *
     * @param ranges in the order of their tokens, none over another
     * @param deadlineNanos on the elapsed clock of this node; then its cut is not kept any longer
     */
    CompletableFuture<Part> open(
            NodeId node,
            TableMetadata table,
            List<AbstractBounds<PartitionPosition>> ranges,
            long tokenMicros,
            long deadlineNanos);

    /** What is open at another node. */
    interface Part {
        /** The cut that it gave itself. */
        ReadInfo info();

        /**
         * The newest cut that is not above this one, and at which it can answer; {@link Long#MIN_VALUE} where there is
         * none among those that it keeps.
         */
        CompletableFuture<Long> newestUpTo(long mostMicros);

        /**
         * Reads these ranges, one after the other, at a cut that it keeps.
         *
         * @param page whose columns and filters count
         * @param ranges in the order of their tokens
         * @param limit rows are enough
         * @param held takes what is found, as it comes
         * @return in the order of the tokens; all that there is, or so many rows or more without a gap
         */
        CompletableFuture<List<ImmutableBTreePartition>> rowsFor(
                long cutMicros,
                PartitionRangeReadCommand page,
                List<AbstractBounds<PartitionPosition>> ranges,
                int limit,
                GatheredRows held);

        /** The cut is not kept any longer. Does not block. */
        void close();
    }
}
