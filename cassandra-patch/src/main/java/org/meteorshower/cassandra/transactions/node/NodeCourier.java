/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.Courier;
import org.meteorshower.transport.NettyTransport;

/** Takes messages to the nodes that run the other data centres' processes. Used on the loop. */
final class NodeCourier implements Courier {
    /** What is larger goes in pieces, each of which is acknowledged: the transport drops what it cannot queue. */
    private static final int LARGE_BYTES = 1 << 20;

    private final NettyTransport transport;
    private final Representatives representatives;
    private final MessageCodec codec;
    private final LargeMessages large;

    /** What was encoded last: most messages go to all others. */
    private Message last = new Message.Outbid(0, 0);

    private byte[] lastBytes = {};

    NodeCourier(NettyTransport transport, Representatives representatives, MessageCodec codec, LargeMessages large) {
        this.transport = transport;
        this.representatives = representatives;
        this.codec = codec;
        this.large = large;
    }

    @Override
    public void send(int dc, Message message, boolean twice) {
        Representatives.Heard to = representatives.of(dc);
        if (to == null) {
            return;
        }
        NodeId node = to.node();
        if (message instanceof Message.Snapshot || message instanceof Message.RejoinAnswer) {
            large.send(node, () -> codec.encode(message));
            return;
        }
        if (message != last) {
            lastBytes = Parcel.content(codec.encode(message));
            last = message;
        }
        if (lastBytes.length > LARGE_BYTES) {
            byte[] bytes = lastBytes;
            large.send(node, () -> java.util.Arrays.copyOfRange(bytes, 1, bytes.length));
        } else {
            var unused = transport.parcel(node, lastBytes, twice);
        }
    }
}
