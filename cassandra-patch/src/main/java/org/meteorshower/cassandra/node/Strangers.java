/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamOperation;
import org.apache.cassandra.streaming.StreamSession;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.protocol.NodeId;

/**
 * Tells strangers' data from replicas': partitions that this node holds in the epoch that it follows, sent by one that
 * does not. Where nodes join and leave, a node is sent what it gets to hold, which it does not hold yet; so these are
 * seldom. Thread-safe.
 */
final class Strangers {
    private final NodeId self;
    private final RingPlacement placement;

    Strangers(NodeId self, RingPlacement placement) {
        this.self = self;
        this.placement = placement;
    }

    /** @param epoch the table's name in the epoch that this node follows */
    boolean isStrange(UUID epoch, Collection<SSTableReader> files, StreamSession stream) {
        return areIn(placement.heldWithout(senderOf(stream), self, epoch), files);
    }

    /** Whether there are partitions in them that this node holds in that epoch, or may hold: it is not placed yet. */
    boolean areHeld(UUID epoch, Collection<SSTableReader> files) {
        return placement.groupsOf(epoch).isEmpty() || areIn(placement.heldWithout(null, self, epoch), files);
    }

    private static boolean areIn(List<Range<Token>> ranges, Collection<SSTableReader> files) {
        return !ranges.isEmpty()
                && files.stream()
                        .anyMatch(file -> !file.getPositionsForRanges(ranges).isEmpty());
    }

    /** Null for a tool that loads data: it may run at a node's address. */
    private static @Nullable NodeId senderOf(StreamSession stream) {
        UUID id = stream.streamOperation() == StreamOperation.BULK_LOAD
                ? null
                : StorageService.instance.getTokenMetadata().getHostId(stream.peer);
        return id == null ? null : new NodeId(id);
    }
}
