/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.port.Members;

/**
 * The data centres of a group of lanes, by number, and their nodes as Cassandra knows them. Thread-safe.
 *
 * @param self the number of this node's data centre; {@link #NONE} where it is not of the group: such a node only knows
 *     whom to ask
 */
record DataCentres(List<String> names, int self, NodeId node) {
    static final int NONE = -1;

    DataCentres {
        names = List.copyOf(names);
    }

    boolean isMember() {
        return self != NONE;
    }

    /** Who is not of the group is taken for the first: it only reads what others say. */
    Members members() {
        return new Members(Math.max(0, self), names.size());
    }

    /** The number of a node's data centre; {@link #NONE} if it does not take part, or the node is not known. */
    int of(NodeId other) {
        InetAddressAndPort endpoint = StorageService.instance.getTokenMetadata().getEndpointForHostId(other.value());
        return endpoint == null
                ? NONE
                : names.indexOf(DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint));
    }

    /** All nodes of other data centres that are up. */
    List<NodeId> distant() {
        List<NodeId> distant = new ArrayList<>();
        endpoints().forEach((endpoint, id) -> {
            if (!isNear(endpoint) && FailureDetector.instance.isAlive(endpoint)) {
                distant.add(new NodeId(id));
            }
        });
        return distant;
    }

    /** The other nodes of this data centre by their ids, up or not: Cassandra may learn late which. */
    List<NodeId> neighbours() {
        List<NodeId> neighbours = new ArrayList<>();
        endpoints().forEach((endpoint, id) -> {
            if (!id.equals(node.value()) && isNear(endpoint)) {
                neighbours.add(new NodeId(id));
            }
        });
        neighbours.sort(Comparator.comparing(NodeId::value));
        return neighbours;
    }

    private boolean isNear(InetAddressAndPort endpoint) {
        return DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint).equals(names.get(self));
    }

    /** Whether Cassandra takes a node for up. */
    boolean isUp(NodeId other) {
        InetAddressAndPort endpoint = StorageService.instance.getTokenMetadata().getEndpointForHostId(other.value());
        return endpoint != null && FailureDetector.instance.isAlive(endpoint);
    }

    /** How many of these nodes come before this one. */
    int rank(List<NodeId> others) {
        return (int) others.stream()
                .filter(other -> other.value().compareTo(node.value()) < 0)
                .count();
    }

    /** Names of data centres of which no node is known yet. */
    List<String> unknown() {
        List<String> unknown = new ArrayList<>(names);
        endpoints()
                .keySet()
                .forEach(endpoint ->
                        unknown.remove(DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint)));
        return unknown;
    }

    /** All nodes that Cassandra knows. */
    static Map<InetAddressAndPort, UUID> endpoints() {
        return StorageService.instance.getTokenMetadata().getEndpointToHostIdMapForReading();
    }
}
