/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.net.InetSocketAddress;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transport.PeerDirectory;

/**
 * The nodes of Cassandra's ring, by host id. All listen on one port, at the address that they broadcast. Thread-safe.
 *
 * @param port of every node's MeteorShower transport
 */
public record RingDirectory(NodeId self, int port) implements PeerDirectory {
    @Override
    public @Nullable Peer find(NodeId node) {
        if (node.equals(self)) {
            return null;
        }
        InetAddressAndPort endpoint = StorageService.instance.getTokenMetadata().getEndpointForHostId(node.value());
        return endpoint == null
                ? null
                : new Peer(
                        new InetSocketAddress(endpoint.getAddress(), port),
                        DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint));
    }
}
