/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** Makes placement snapshots from Cassandra's ring and schema. Used by one thread at a time. */
final class RingReader {
    private final NodeId self;
    private final Map<ReplicaGroup, ReplicaGroup> interned = new HashMap<>();

    RingReader(NodeId self) {
        this.self = self;
    }

    RingPlacement.Snapshot read(Map<TableId, WriteQuorum> enabled) {
        TokenMetadata live = StorageService.instance.getTokenMetadata();
        long version = live.getRingVersion();
        TokenMetadata ring = live.cachedOnlyTokenMap();
        Map<UUID, TablePlacement> tables = new HashMap<>();
        enabled.forEach((id, quorum) -> {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null) {
                tables.put(id.asUUID(), placementOf(table, quorum, ring));
            }
        });
        return new RingPlacement.Snapshot(version, tables);
    }

    private TablePlacement placementOf(TableMetadata table, WriteQuorum quorum, TokenMetadata ring) {
        ArrayList<Token> tokens = ring.sortedTokens();
        List<ReplicaGroup> groups = new ArrayList<>(tokens.size());
        AbstractReplicationStrategy strategy =
                Schema.instance.getKeyspaceInstance(table.keyspace).getReplicationStrategy();
        for (Token token : tokens) {
            groups.add(groupOf(strategy.calculateNaturalReplicas(token, ring).endpoints(), quorum, ring));
        }
        if (tokens.isEmpty()) {
            groups.add(ReplicaGroup.majority(self));
        }
        return new TablePlacement(table.partitioner, tokens, groups);
    }

    private ReplicaGroup groupOf(Iterable<InetAddressAndPort> endpoints, WriteQuorum quorum, TokenMetadata ring) {
        List<NodeId> members = new ArrayList<>();
        for (InetAddressAndPort endpoint : endpoints) {
            members.add(nodeAt(endpoint, ring));
        }
        if (members.isEmpty()) {
            members.add(self);
        }
        return interned.computeIfAbsent(new ReplicaGroup(members, quorum.of(members.size())), group -> group);
    }

    private NodeId nodeAt(InetAddressAndPort endpoint, TokenMetadata ring) {
        if (endpoint.equals(FBUtilities.getBroadcastAddressAndPort())) {
            return self; // which the ring learns late in the node's start
        }
        UUID hostId = ring.getHostId(endpoint);
        // A replica whose id is not known yet counts as one that is never heard: that is safe, and passes soon.
        return new NodeId(
                hostId != null
                        ? hostId
                        : UUID.nameUUIDFromBytes(
                                endpoint.getHostAddressAndPort().getBytes(StandardCharsets.UTF_8)));
    }
}
