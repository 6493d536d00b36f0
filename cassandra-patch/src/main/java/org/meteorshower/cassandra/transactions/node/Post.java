/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transport.NettyTransport;

/** By which parcels and calls of a group of lanes go to other nodes. Thread-safe; does not block. */
interface Post {
    /** In which version to write to a node; the connection by which it goes may turn out to be of another. */
    int version(NodeId to);

    /** Whether a connection with it stands: that with a process that dies ends at once. */
    boolean isConnected(NodeId to);

    /**
     * What is sent may be lost: where the node is not reached, where too much waits for it, and where the connection is
     * of a version that does not understand it.
     *
     * @param twice whether to send it on two streams
     */
    void send(NodeId to, Parcel.Packed parcel, boolean twice);

    /**
     * Asks a node; fails with {@link org.meteorshower.runtime.Transport.CallFailedException}, which says whether it may
     * have acted on it.
     */
    CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout);

    /** @param group its number */
    static Post over(NettyTransport transport, int group) {
        return new Post() {
            @Override
            public int version(NodeId to) {
                return transport.version(to);
            }

            @Override
            public boolean isConnected(NodeId to) {
                return transport.isConnected(to);
            }

            @Override
            public void send(NodeId to, Parcel.Packed parcel, boolean twice) {
                Parcel.Packed packed = Parcel.of(group, parcel);
                var unused = transport.parcel(to, packed.bytes(), packed.versions(), twice);
            }

            @Override
            public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
                return transport.call(to, CallForm.of(group, request), timeout);
            }
        };
    }
}
