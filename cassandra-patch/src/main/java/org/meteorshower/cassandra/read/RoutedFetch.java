/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ReadRefusedException;

/** Reads here where this node is a replica, elsewhere where it is not. Thread-safe. */
public final class RoutedFetch implements PartitionFetch {
    private final NodeId self;
    private final RingPlacement placement;
    private final PartitionFetch here;
    private final PartitionFetch elsewhere;

    public RoutedFetch(NodeId self, RingPlacement placement, PartitionFetch here, PartitionFetch elsewhere) {
        this.self = self;
        this.placement = placement;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    public FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws ReadRefusedException, InterruptedException {
        var key = CassandraUpdate.keyOf(command.metadata().id, command.partitionKey());
        boolean local = placement.replicasOf(key).contains(self);
        return (local ? here : elsewhere).fetch(command, terms);
    }
}
