/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.Courier;
import org.meteorshower.transport.NettyTransport;

/**
 * Takes messages to the nodes that run the other data centres' processes. What a core sends in one go travels together, one parcel for
 * each data centre. Used on the loop.
 */
final class NodeCourier implements Courier {
    /** What is larger goes in pieces, each of which is acknowledged: the transport drops what it cannot queue. */
    private static final int LARGE_BYTES = 1 << 20;

    /** A parcel that has so much in it goes. */
    private static final int FULL_BYTES = 256 << 10;

    private static final class Waiting {
        private final List<byte[]> messages = new ArrayList<>();
        private int bytes;
        private boolean twice;
    }

    private final NettyTransport transport;
    private final Representatives representatives;
    private final MessageCodec codec;
    private final LargeMessages large;
    private final long life;
    private final List<Waiting> waiting = new ArrayList<>();
    private long number;

    /** What was encoded last: most messages go to all others. */
    private Message last = new Message.Outbid(0, 0);

    private byte[] lastBytes = {};

    /** @param life of the process that sends */
    NodeCourier(
            NettyTransport transport,
            Representatives representatives,
            MessageCodec codec,
            LargeMessages large,
            long life) {
        this.transport = transport;
        this.representatives = representatives;
        this.codec = codec;
        this.large = large;
        this.life = life;
        for (int dc = 0; dc < codec.members().count(); dc++) {
            waiting.add(new Waiting());
        }
    }

    @Override
    public void send(int dc, Message message, boolean twice) {
        if (message instanceof Message.Snapshot || message instanceof Message.RejoinAnswer) {
            Representatives.Heard to = representatives.of(dc);
            if (to != null) {
                large.send(to.node(), () -> codec.encode(message));
            }
            return;
        }
        if (message != last) {
            lastBytes = codec.encode(message);
            last = message;
        }
        if (lastBytes.length > LARGE_BYTES) {
            Representatives.Heard to = representatives.of(dc);
            byte[] bytes = lastBytes;
            if (to != null) {
                large.send(to.node(), () -> bytes);
            }
            return;
        }
        Waiting with = waiting.get(dc);
        with.messages.add(lastBytes);
        with.bytes += lastBytes.length;
        with.twice |= twice;
        if (with.bytes > FULL_BYTES) {
            flush(dc);
        }
    }

    @Override
    public void flush() {
        for (int dc = 0; dc < waiting.size(); dc++) {
            flush(dc);
        }
    }

    private void flush(int dc) {
        Waiting with = waiting.get(dc);
        if (with.messages.isEmpty()) {
            return;
        }
        Representatives.Heard to = representatives.of(dc);
        if (to != null) {
            NodeId node = to.node();
            var unused = transport.parcel(node, Parcel.contents(life, ++number, with.messages), with.twice);
        }
        with.messages.clear();
        with.bytes = 0;
        with.twice = false;
    }
}
