/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.ReadInfo;

/**
 * What a read of one partition found at a cut.
 *
 * @param rows live rows only, as of the cut; null if there are none
 * @param elsewhere whether another node has served it
 */
public record FetchedPartition(@Nullable ImmutableBTreePartition rows, ReadInfo info, boolean elsewhere) {
    /** Served here. */
    public FetchedPartition(@Nullable ImmutableBTreePartition rows, ReadInfo info) {
        this(rows, info, false);
    }
}
