/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.locator.PendingRangeMaps;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;

/** Keeps the placement and the list of peers in step with ring and schema. Thread-safe. */
public final class PlacementKeeper implements PlacementRefresh {
    private final NodeId self;
    private final RingPlacement placement;
    private final Supplier<Map<TableId, WriteQuorum>> enabled;
    private final MeteorShower meteorShower;
    private final RingReader reader;
    private Set<NodeId> peers = new HashSet<>();

    public PlacementKeeper(
            NodeId self,
            RingPlacement placement,
            Supplier<Map<TableId, WriteQuorum>> enabled,
            MeteorShower meteorShower) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.meteorShower = meteorShower;
        this.reader = new RingReader(self);
    }

    /** A placement for the protocol core to begin with, which asks where its journaled mutations live. */
    public static RingPlacement initial(NodeId self, Map<TableId, WriteQuorum> enabled) {
        RingPlacement placement = new RingPlacement(self);
        placement.install(new RingReader(self).read(enabled));
        return placement;
    }

    @Override
    public synchronized void refresh() {
        RingPlacement.Snapshot next = reader.read(enabled.get());
        // Under the middleware's lock, hence between two steps of the protocol.
        boolean unused = meteorShower.inspect(core -> {
            placement.install(next);
            return true;
        });
        Set<NodeId> nextPeers = next.peersOf(self);
        if (!nextPeers.equals(peers)) {
            peers = nextPeers;
            meteorShower.peersChanged(nextPeers);
        }
    }

    /** Reads the ring anew if it has changed since. Cheap otherwise. */
    public void refreshIfRingChanged() {
        if (StorageService.instance.getTokenMetadata().getRingVersion()
                != placement.snapshot().ringVersion()) {
            refresh();
        }
    }

    /** Whether partitions of the keyspace are moving between nodes at this moment. */
    public static boolean isMoving(String keyspace) {
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        PendingRangeMaps pending = ring.getPendingRanges(keyspace);
        return pending != null && pending.iterator().hasNext();
    }
}
