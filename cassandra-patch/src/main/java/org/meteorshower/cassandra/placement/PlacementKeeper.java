/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.PendingRangeMaps;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Told;
import org.meteorshower.runtime.MeteorShower;

/**
 * Keeps the placement and the list of peers in step with the tables that are followed. A table's placement never
 * changes: when its partitions move, it is followed under another name. Thread-safe.
 */
public final class PlacementKeeper {
    private final RingPlacement placement;
    private final NodeId self;
    private final MeteorShower meteorShower;
    private final RingReader reader;
    private final Map<TableId, LastRing> lastRings = new HashMap<>();
    private final Told told = new Told();
    private Set<NodeId> peers = new HashSet<>();

    /** What {@link #isInPlace} found: by the time that the table is placed the ring may be another one. */
    private final Map<UUID, TablePlacement> judged = new HashMap<>();

    /** What was read last, and from what: to read a large ring takes long, and it seldom changes. */
    private record LastRing(
            long version,
            AbstractReplicationStrategy strategy,
            GroupRules rules,
            String digest,
            Set<NodeId> replicas) {}

    public PlacementKeeper(NodeId self, RingPlacement placement, MeteorShower meteorShower) {
        this.self = self;
        this.placement = placement;
        this.meteorShower = meteorShower;
        this.reader = new RingReader(self);
    }

    /** A placement for the protocol core to begin with, which asks where its journaled mutations live. */
    public static RingPlacement initial(NodeId self, List<PlacedTable> declared) {
        RingPlacement placement = new RingPlacement(self);
        RingReader reader = new RingReader(self);
        Map<UUID, TablePlacement> tables = new HashMap<>();
        for (PlacedTable table : declared) {
            TablePlacement found = reader.read(table.table(), table.rules());
            if (found != null && table.ring().equals(found.digest())) {
                tables.put(table.id(), found);
            }
        }
        placement.install(new RingPlacement.Snapshot(tables));
        return placement;
    }

    /** Whether the ring, as this node sees it now, is the one that the table's present epoch is about. */
    public synchronized boolean isInPlace(PlacedTable table) {
        TablePlacement now = placement.snapshot().tables().get(table.id());
        if (now == null) {
            now = reader.read(table.table(), table.rules());
        }
        if (now == null || !table.ring().equals(now.digest())) {
            return false;
        }
        judged.put(table.id(), now);
        return true;
    }

    /**
     * Whether Cassandra here goes by the ring that the epoch is about, now: its repairs are of the ring as it is,
     * whatever epoch the table is in.
     */
    public boolean isRingNow(PlacedTable table) {
        TablePlacement now = reader.read(table.table(), table.rules());
        return now != null && table.ring().equals(now.digest());
    }

    /**
     * Who holds which of the table's partitions now, digested; null while that is not known, or while partitions are on
     * their way from one node to another.
     */
    public synchronized @Nullable String ringOf(TableMetadata table, GroupRules rules) {
        return isMoving(table.keyspace) ? null : digestNow(table, rules);
    }

    /** As {@link #isRingNow}, for each read: reads the ring only where it has changed since. */
    public synchronized boolean isRingStill(PlacedTable place) {
        TableMetadata table = Schema.instance.getTableMetadata(place.table());
        return table != null && place.ring().equals(digestNow(table, place.rules()));
    }

    private @Nullable String digestNow(TableMetadata table, GroupRules rules) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
        if (keyspace == null) {
            return null;
        }
        // Read before the ring itself: what is kept may be newer than it says, then it is read once more, never older.
        long version = StorageService.instance.getTokenMetadata().getRingVersion();
        AbstractReplicationStrategy strategy = keyspace.getReplicationStrategy();
        LastRing last = lastRings.get(table.id);
        if (last != null
                && last.version() == version
                && last.strategy() == strategy
                && last.rules().equals(rules)) {
            return last.digest();
        }
        TablePlacement found = reader.read(table.id, rules);
        if (found == null) {
            return null;
        }
        lastRings.put(table.id, new LastRing(version, strategy, rules, found.digest(), found.replicas()));
        return found.digest();
    }

    /**
     * Whether all who hold partitions of the table, by what {@link #ringOf} read last, are up as far as this node
     * knows.
     */
    public synchronized boolean areReplicasUp(TableId table) {
        LastRing last = lastRings.get(table);
        return last != null && last.replicas().stream().allMatch(node -> node.equals(self) || isUp(node));
    }

    /** Whether the node is up, as far as this one knows. */
    public static boolean isUp(NodeId node) {
        var endpoint = StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
        return endpoint != null && FailureDetector.instance.isAlive(endpoint);
    }

    /**
     * From now on just these tables are placed, and their replicas are this node's peers, but for those that are off
     * the ring and have lost a table without knowing ({@link Told}).
     *
     * @param left under their earlier names
     */
    public synchronized void place(List<PlacedTable> followed, List<PlacedTable> left) {
        List<PlacedTable> all = new ArrayList<>(left);
        all.addAll(followed);
        lastRings.keySet().retainAll(all.stream().map(PlacedTable::table).toList());
        Map<UUID, TablePlacement> before = placement.snapshot().tables();
        Map<UUID, TablePlacement> tables = new HashMap<>();
        for (PlacedTable table : all) {
            TablePlacement found = before.get(table.id());
            if (found == null) {
                found = judged.get(table.id());
            }
            if (found == null) {
                found = reader.read(table.table(), table.rules());
            }
            if (found != null) {
                tables.put(table.id(), found);
            }
        }
        judged.clear();
        RingPlacement.Snapshot next = new RingPlacement.Snapshot(tables);
        meteorShower.betweenSteps(() -> placement.install(next));
        Set<NodeId> nextPeers = told.among(peersOf(followed, next), peersOf(left, next), PlacementKeeper::isOnRing);
        if (!nextPeers.equals(peers)) {
            peers = nextPeers;
            meteorShower.peersChanged(nextPeers);
        }
    }

    private Set<NodeId> peersOf(List<PlacedTable> tables, RingPlacement.Snapshot placed) {
        Set<NodeId> found = new HashSet<>();
        tables.forEach(table -> found.addAll(placed.peersOf(self, table.id())));
        return found;
    }

    /** Who holds the table's partitions, by the name that it is followed under. */
    public Set<ReplicaGroup> groupsOf(UUID table) {
        return placement.groupsOf(table);
    }

    /** Whether this node holds any of the table, by the name that it is followed under. */
    public boolean isReplica(UUID table) {
        return groupsOf(table).stream().anyMatch(group -> group.contains(self));
    }

    /** All nodes of the ring, this one included. */
    public static Set<NodeId> everybody() {
        Set<NodeId> nodes = new HashSet<>();
        StorageService.instance
                .getTokenMetadata()
                .getEndpointToHostIdMapForReading()
                .values()
                .forEach(id -> nodes.add(new NodeId(id)));
        return nodes;
    }

    /** Whether the node, by its id, has a place on the ring. */
    public static boolean isOnRing(NodeId node) {
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        var endpoint = ring.getEndpointForHostId(node.value());
        return endpoint != null && ring.isMember(endpoint);
    }

    /** Whether this node has a place on the ring: it is gone from there before the others learn that it leaves. */
    public static boolean isOnRing() {
        return StorageService.instance.getTokenMetadata().isMember(FBUtilities.getBroadcastAddressAndPort());
    }

    private static boolean isMoving(String keyspace) {
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        PendingRangeMaps pending = ring.getPendingRanges(keyspace);
        return pending != null && pending.iterator().hasNext();
    }
}
