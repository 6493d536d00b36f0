/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.meteorshower.protocol.NodeId;
import org.meteorshower.transport.NettyTransport;

/** By which parcels go to other nodes. Thread-safe; does not block. */
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

    static Post over(NettyTransport transport) {
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
                var unused = transport.parcel(to, parcel.bytes(), parcel.versions(), twice);
            }
        };
    }
}
