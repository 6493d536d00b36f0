/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.port.Members;

/** The data centres that take part, by number, and their nodes as Cassandra knows them. Thread-safe. */
record DataCentres(List<String> names, int self, NodeId node) {
    static final int NONE = -1;

    DataCentres {
        names = List.copyOf(names);
    }

    Members members() {
        return new Members(self, names.size());
    }

    /** The number of a node's data centre; {@link #NONE} if it does not take part, or the node is not known. */
    int of(NodeId other) {
        InetAddressAndPort endpoint = StorageService.instance.getTokenMetadata().getEndpointForHostId(other.value());
        return endpoint == null
                ? NONE
                : names.indexOf(DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint));
    }

    /** All other nodes that are up. */
    List<NodeId> others() {
        List<NodeId> others = new ArrayList<>();
        endpoints().forEach((endpoint, id) -> {
            if (!id.equals(node.value()) && FailureDetector.instance.isAlive(endpoint)) {
                others.add(new NodeId(id));
            }
        });
        return others;
    }

    /** How many nodes of this data centre that are up come before this one. */
    int rank() {
        List<UUID> own = new ArrayList<>();
        endpoints().forEach((endpoint, id) -> {
            if (FailureDetector.instance.isAlive(endpoint)
                    && DatabaseDescriptor.getEndpointSnitch()
                            .getDatacenter(endpoint)
                            .equals(names.get(self))) {
                own.add(id);
            }
        });
        Collections.sort(own);
        return Math.max(0, own.indexOf(node.value()));
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

    private static Map<InetAddressAndPort, UUID> endpoints() {
        return StorageService.instance.getTokenMetadata().getEndpointToHostIdMapForReading();
    }
}
