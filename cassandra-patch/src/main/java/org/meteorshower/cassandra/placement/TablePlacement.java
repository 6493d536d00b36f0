/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.TokenMetadata;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * Where one table's partitions live, at one version of the ring. Immutable.
 *
 * @param ring the ring's tokens, sorted
 * @param groups for each ring token, who holds the range that ends there; as long as {@code ring}, or one group where
 *     the ring is empty
 */
record TablePlacement(IPartitioner partitioner, ArrayList<Token> ring, List<ReplicaGroup> groups) {
    ReplicaGroup groupOf(byte[] key) {
        if (ring.isEmpty()) {
            return groups.get(0);
        }
        Token token = partitioner.getToken(ByteBuffer.wrap(key));
        return groups.get(TokenMetadata.firstTokenIndex(ring, token, false));
    }
}
