/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

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
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** Makes placements from Cassandra's ring and schema. Thread-safe. */
final class RingReader {
    private final NodeId self;
    private final Map<ReplicaGroup, ReplicaGroup> interned = new HashMap<>();

    RingReader(NodeId self) {
        this.self = self;
    }

    /**
     * Where the table's partitions live now; null if there is no such table, or some replica is not known by its id
     * yet.
     */
    synchronized @Nullable TablePlacement read(TableId id, GroupRules rules) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        return table == null
                ? null
                : placementOf(
                        table, rules, StorageService.instance.getTokenMetadata().cachedOnlyTokenMap());
    }

    private @Nullable TablePlacement placementOf(TableMetadata table, GroupRules rules, TokenMetadata ring) {
        ArrayList<Token> tokens = ring.sortedTokens();
        List<ReplicaGroup> groups = new ArrayList<>(tokens.size());
        AbstractReplicationStrategy strategy =
                Schema.instance.getKeyspaceInstance(table.keyspace).getReplicationStrategy();
        for (Token token : tokens) {
            ReplicaGroup group =
                    groupOf(strategy.calculateNaturalReplicas(token, ring).endpoints(), rules, ring);
            if (group == null) {
                return null;
            }
            groups.add(group);
        }
        if (tokens.isEmpty()) {
            groups.add(ReplicaGroup.majority(self));
        }
        return new TablePlacement(table.partitioner, tokens, groups);
    }

    private @Nullable ReplicaGroup groupOf(
            Iterable<InetAddressAndPort> endpoints, GroupRules rules, TokenMetadata ring) {
        List<NodeId> members = new ArrayList<>();
        for (InetAddressAndPort endpoint : endpoints) {
            NodeId member = nodeAt(endpoint, ring);
            if (member == null) {
                return null;
            }
            members.add(member);
        }
        if (members.isEmpty()) {
            members.add(self);
        }
        return interned.computeIfAbsent(rules.of(members), group -> group);
    }

    private @Nullable NodeId nodeAt(InetAddressAndPort endpoint, TokenMetadata ring) {
        if (endpoint.equals(FBUtilities.getBroadcastAddressAndPort())) {
            return self; // which the ring learns late in the node's start
        }
        UUID hostId = ring.getHostId(endpoint);
        return hostId == null ? null : new NodeId(hostId);
    }
}
