/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.UUID;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * A read, the partition as the middleware knew it when it was asked, and who held it then: looked up once.
 *
 * @param key names the table as of then; where that has moved since, the protocol refuses the read
 */
public record LocatedRead(SinglePartitionReadCommand command, PartitionKey key, ReplicaGroup group) {
    /** @throws RequestRefusedException where this node does not follow the table yet */
    public static LocatedRead of(SinglePartitionReadCommand command, EnabledTables enabled, RingPlacement placement)
            throws RequestRefusedException {
        UUID table = enabled.idOf(command.metadata().id);
        if (table == null) {
            throw new RequestRefusedException(
                    Failure.NOT_READY, "this node has not caught up with " + command.metadata() + " yet");
        }
        PartitionKey key = CassandraUpdate.keyOf(table, command.partitionKey().getKey());
        return new LocatedRead(command, key, placement.replicasOf(key));
    }

    /** Whether it is a strict read in this mode that leases answer. */
    public boolean isByLease(ReadMode mode) {
        return mode.kind() == ReadMode.Kind.STRICT && group.strictAtHome();
    }

    /** The same of Cassandra's own store, with this as its "now": what has expired by then is left out. */
    static SinglePartitionReadCommand asOf(SinglePartitionReadCommand command, long seconds) {
        return SinglePartitionReadCommand.create(
                command.metadata(),
                seconds,
                command.columnFilter(),
                command.rowFilter(),
                command.limits(),
                command.partitionKey(),
                command.clusteringIndexFilter(),
                null);
    }
}
