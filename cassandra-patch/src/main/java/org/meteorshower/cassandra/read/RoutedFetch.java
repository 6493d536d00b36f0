/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;

/** Reads here where this node is a replica, elsewhere where it is not. Thread-safe. */
public final class RoutedFetch implements PartitionFetch {
    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final LocatedFetch here;
    private final LocatedFetch elsewhere;

    public RoutedFetch(
            NodeId self, RingPlacement placement, EnabledTables enabled, LocatedFetch here, LocatedFetch elsewhere) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    public FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        LocatedRead read = LocatedRead.of(command, enabled, placement);
        return (read.group().contains(self) ? here : elsewhere).fetch(read, terms);
    }
}
