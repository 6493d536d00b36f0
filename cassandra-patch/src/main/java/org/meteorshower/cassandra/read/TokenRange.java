/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.IPartitioner;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.ScanRange;

/**
 * What a node reads of a scan, as Cassandra's command has it. Immutable.
 *
 * @param parts in the order of their tokens, none over another; not empty
 */
record TokenRange(
        UUID table, Set<ReplicaGroup> groups, IPartitioner partitioner, List<AbstractBounds<PartitionPosition>> parts)
        implements ScanRange {
    @Override
    public boolean contains(PartitionKey key) {
        PartitionPosition position = partitioner.decorateKey(ByteBuffer.wrap(key.bytes()));
        int low = 0;
        int high = parts.size() - 1;
        while (low < high) { // the first part that does not end before it
            int middle = (low + high) >>> 1;
            if (endsBefore(parts.get(middle), position)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return parts.get(low).contains(position);
    }

    private static boolean endsBefore(AbstractBounds<PartitionPosition> part, PartitionPosition position) {
        return !part.right.isMinimum() && part.right.compareTo(position) < 0;
    }

    /** Whether all of it is in one of the parts. */
    boolean covers(AbstractBounds<PartitionPosition> range) {
        return parts.stream()
                .anyMatch(part -> part.left.compareTo(range.left) <= 0
                        && (part.right.isMinimum()
                                || (!range.right.isMinimum() && range.right.compareTo(part.right) <= 0)));
    }
}
