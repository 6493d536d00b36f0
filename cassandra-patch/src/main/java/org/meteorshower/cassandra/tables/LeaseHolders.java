/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * Which nodes are to hold leases of a table with {@code strict=home}: those of the data centres that its options name,
 * or all. Nothing but speed depends on it: who is not to hold sends what needs a lease to one that is, and asks for one
 * itself where none of these can do it. So nodes may learn at different times of a change. Thread-safe.
 */
public final class LeaseHolders {
    private final EnabledTables enabled;
    private final Function<NodeId, @Nullable String> dataCentreOf;
    private final Predicate<NodeId> isAlive;
    private volatile Set<NodeId> silent = Set.of();

    /** @param dataCentreOf null for a node that is not known */
    public LeaseHolders(
            EnabledTables enabled, Function<NodeId, @Nullable String> dataCentreOf, Predicate<NodeId> isAlive) {
        this.enabled = enabled;
        this.dataCentreOf = dataCentreOf;
        this.isAlive = isAlive;
    }

    /** As the ring and the failure detector of this process say. */
    public static LeaseHolders ofThisRing(EnabledTables enabled) {
        return new LeaseHolders(
                enabled,
                node -> {
                    InetAddressAndPort at = endpointOf(node);
                    return at == null
                            ? null
                            : DatabaseDescriptor.getEndpointSnitch().getDatacenter(at);
                },
                node -> {
                    InetAddressAndPort at = endpointOf(node);
                    return at != null && FailureDetector.instance.isAlive(at);
                });
    }

    private static @Nullable InetAddressAndPort endpointOf(NodeId node) {
        return StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
    }

    /** Who has not been heard of for too long to be asked first, as of now. */
    public void silent(Set<NodeId> peers) {
        silent = Set.copyOf(peers);
    }

    /** @param table as the middleware calls it */
    public boolean isOne(UUID table, NodeId node) {
        Set<String> named = enabled.leaseHoldersOf(table);
        return named.isEmpty() || named.contains(dataCentreOf.apply(node));
    }

    /** Those of the nodes that are to hold, live and are heard. */
    public Collection<NodeId> among(UUID table, Collection<NodeId> nodes) {
        Set<String> named = enabled.leaseHoldersOf(table);
        if (named.isEmpty()) {
            return nodes;
        }
        List<NodeId> found = new ArrayList<>(nodes);
        found.removeIf(
                node -> !named.contains(dataCentreOf.apply(node)) || silent.contains(node) || !isAlive.test(node));
        return found;
    }
}
