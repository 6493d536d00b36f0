/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.UUID;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.ReadFailure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.runtime.ReadRefusedException;

/** Reads here where this node is a replica, elsewhere where it is not. Thread-safe. */
public final class RoutedFetch implements PartitionFetch {
    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final PartitionFetch here;
    private final PartitionFetch elsewhere;

    public RoutedFetch(
            NodeId self,
            RingPlacement placement,
            EnabledTables enabled,
            PartitionFetch here,
            PartitionFetch elsewhere) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    public FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws ReadRefusedException, InterruptedException {
        boolean local = placement.replicasOf(keyOf(command, enabled)).contains(self);
        return (local ? here : elsewhere).fetch(command, terms);
    }

    /**
     * The partition, as the middleware knows it now.
     *
     * @throws ReadRefusedException where this node does not follow the table yet
     */
    public static PartitionKey keyOf(SinglePartitionReadCommand command, EnabledTables enabled)
            throws ReadRefusedException {
        UUID table = enabled.idOf(command.metadata().id);
        if (table == null) {
            throw new ReadRefusedException(
                    ReadFailure.NOT_READY, "this node has not caught up with " + command.metadata() + " yet");
        }
        return CassandraUpdate.keyOf(table, command.partitionKey().getKey());
    }
}
