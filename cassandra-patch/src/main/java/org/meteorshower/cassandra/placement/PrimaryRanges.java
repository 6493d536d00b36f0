/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * What a node holds of a table, divided by the first replica of each range, which is its owner: the same on all nodes
 * that see the same ring. Immutable.
 *
 * @param held by owner, the ranges that this node holds
 * @param digests by owner, of all ranges that it owns: two nodes that divide otherwise do not mean the same
 * @param sharers the other replicas of what this node owns
 */
public record PrimaryRanges(Map<NodeId, List<Range<Token>>> held, Map<NodeId, Long> digests, Set<NodeId> sharers) {

    /** By the ring as it is; null while some replica is not known by its id. */
    public static @Nullable PrimaryRanges of(TableMetadata table, NodeId self) {
        var keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
        TokenMetadata ring = StorageService.instance.getTokenMetadata().cachedOnlyTokenMap();
        return keyspace == null ? null : new Reading(self, ring, keyspace.getReplicationStrategy()).read();
    }

    public List<Range<Token>> of(Collection<NodeId> owners) {
        List<Range<Token>> all = new ArrayList<>();
        owners.forEach(owner -> all.addAll(held.getOrDefault(owner, List.of())));
        return all;
    }

    public long digestOf(NodeId owner) {
        return digests.getOrDefault(owner, 0L);
    }

    /** One look at the ring. */
    private static final class Reading {
        private final NodeId self;
        private final TokenMetadata ring;
        private final AbstractReplicationStrategy strategy;
        private final Map<NodeId, List<Range<Token>>> held = new HashMap<>();
        private final Map<NodeId, Hasher> digests = new HashMap<>();
        private final Set<NodeId> sharers = new HashSet<>();

        Reading(NodeId self, TokenMetadata ring, AbstractReplicationStrategy strategy) {
            this.self = self;
            this.ring = ring;
            this.strategy = strategy;
        }

        @Nullable
        PrimaryRanges read() {
            List<Token> tokens = ring.sortedTokens();
            for (int i = 0; i < tokens.size(); i++) {
                Token to = tokens.get(i);
                List<NodeId> replicas = replicasOf(to);
                if (replicas == null) {
                    return null;
                }
                if (!replicas.isEmpty()) {
                    note(new Range<>(tokens.get((i + tokens.size() - 1) % tokens.size()), to), replicas);
                }
            }
            sharers.remove(self);
            Map<NodeId, Long> digested = new HashMap<>();
            digests.forEach((owner, digest) -> digested.put(owner, digest.hash().asLong()));
            return new PrimaryRanges(held, digested, sharers);
        }

        private void note(Range<Token> range, List<NodeId> replicas) {
            NodeId owner = replicas.get(0);
            digests.computeIfAbsent(owner, node -> Hashing.sha256().newHasher())
                    .putString(range.toString(), StandardCharsets.UTF_8);
            if (replicas.contains(self)) {
                held.computeIfAbsent(owner, node -> new ArrayList<>()).add(range);
            }
            if (owner.equals(self)) {
                sharers.addAll(replicas);
            }
        }

        private @Nullable List<NodeId> replicasOf(Token token) {
            List<NodeId> replicas = new ArrayList<>();
            for (InetAddressAndPort endpoint :
                    strategy.calculateNaturalReplicas(token, ring).endpoints()) {
                UUID id = ring.getHostId(endpoint);
                if (endpoint.equals(FBUtilities.getBroadcastAddressAndPort())) {
                    replicas.add(self);
                } else if (id == null) {
                    return null;
                } else {
                    replicas.add(new NodeId(id));
                }
            }
            return replicas;
        }
    }
}
