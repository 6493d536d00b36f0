/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/** Who belongs to the cluster, as Cassandra knows it. Thread-safe; called on the transport's threads, so quick. */
@FunctionalInterface
public interface PeerDirectory {
    /** Returns null if this is no other node of the cluster now. */
    @Nullable
    Peer find(NodeId node);

    /**
     * @param address where the peer's transport listens; also the address that its connections come from
     * @param dataCenter the peer's data centre
     */
    record Peer(InetSocketAddress address, String dataCenter) {}
}
