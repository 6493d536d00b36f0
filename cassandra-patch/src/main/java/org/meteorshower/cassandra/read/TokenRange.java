/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.IPartitioner;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.ScanRange;

/** The range of a scan, as Cassandra's command has it. Immutable. */
record TokenRange(
        UUID table, Set<ReplicaGroup> groups, IPartitioner partitioner, AbstractBounds<PartitionPosition> bounds)
        implements ScanRange {
    @Override
    public boolean contains(PartitionKey key) {
        return bounds.contains(partitioner.decorateKey(ByteBuffer.wrap(key.bytes())));
    }
}
