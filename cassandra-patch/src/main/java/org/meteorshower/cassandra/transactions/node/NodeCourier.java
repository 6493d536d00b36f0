/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.runtime.Courier;

/**
 * Takes messages to the nodes that run the other data centres' processes. What a core sends in one go travels together,
 * one parcel for each data centre. Used on the loop.
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

        /** The first version between nodes that has all of the messages. */
        private int since = 1;
    }

    private final Post post;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final MessageCodec codec;
    private final BiConsumer<NodeId, Supplier<byte[]>> large;
    private final long life;
    private final List<Waiting> waiting = new ArrayList<>();
    private long number;

    /** What was encoded last: most messages go to all others. */
    private Message last = new Message.Outbid(0, 0);

    private int lastVersion;
    private byte[] lastBytes = {};

    /**
     * @param large for what does not fit into a parcel
     * @param life of the process that sends
     */
    NodeCourier(
            Post post,
            Representatives representatives,
            PeerFormats formats,
            MessageCodec codec,
            BiConsumer<NodeId, Supplier<byte[]>> large,
            long life) {
        this.post = post;
        this.representatives = representatives;
        this.formats = formats;
        this.codec = codec;
        this.large = large;
        this.life = life;
        for (int dc = 0; dc < codec.members().count(); dc++) {
            waiting.add(new Waiting());
        }
    }

    @Override
    public void send(int dc, Message message, boolean twice) {
        NodeId to = to(dc);
        if (to == null) {
            return;
        }
        if (message.kind() == Message.Kind.REJOIN_ANSWER) {
            large.accept(to, () -> codec.encode(message, post.version(to)));
            return;
        }
        int since = MessageCodec.since(message);
        int version = post.version(to);
        if (since > version) {
            return; // it would not be understood; where it is needed, it is lost like any other
        }
        if (message != last || version != lastVersion) {
            lastBytes = codec.encode(message, version);
            last = message;
            lastVersion = version;
        }
        if (lastBytes.length > LARGE_BYTES) {
            byte[] bytes = lastBytes;
            large.accept(to, () -> bytes);
            return;
        }
        Waiting with = waiting.get(dc);
        with.messages.add(lastBytes);
        with.bytes += lastBytes.length;
        with.twice |= twice;
        with.since = Math.max(with.since, since);
        if (with.bytes > FULL_BYTES) {
            flush(dc);
        }
    }

    /** Null where nobody is known, or nothing is exchanged with who is. */
    private @Nullable NodeId to(int dc) {
        Representatives.Heard heard = representatives.of(dc);
        return heard == null || !formats.fits(heard.node()) ? null : heard.node();
    }

    @Override
    public boolean isSevered(int dc) {
        Representatives.Heard heard = representatives.of(dc);
        return heard != null && !post.isConnected(heard.node());
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
        NodeId to = to(dc);
        if (to != null) {
            post.send(to, Parcel.contents(life, ++number, with.messages, with.since), with.twice);
        }
        with.messages.clear();
        with.bytes = 0;
        with.twice = false;
        with.since = 1;
    }
}
