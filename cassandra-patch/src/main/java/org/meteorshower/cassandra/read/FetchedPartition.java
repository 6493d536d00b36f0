/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.meteorshower.protocol.Effect.ReadInfo;

/**
 * What a read of one partition found at a cut.
 *
 * @param rows live rows only, as of the cut; null if there are none
 */
public record FetchedPartition(
        @org.jspecify.annotations.Nullable ImmutableBTreePartition rows, ReadInfo info) {}
