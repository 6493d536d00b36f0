/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.BitSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Placement;

/** Tells a node that was left behind what it missed. */
public interface MissedElsewhere {
    /**
     * The {@linkplain Placement#bucketOf buckets} of the table of this name in which this node lacks something that the
     * source has retired without it; null where that may be in all. Blocks for seconds at most.
     */
    @Nullable
    BitSet at(NodeId source, UUID name) throws InterruptedException;
}
