/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;

/**
 * What one node sends to others, many messages to a packet by node: a packet goes when it is full, and when the node's
 * step is over. So what is held here is no more than a packet and a message for each node. Used by one thread.
 */
public final class Packets {
    /** The version of all that is in a packet, which stands before it. */
    public static final int VERSION = 2;

    /** So many bytes make a packet full. */
    public static final int FULL_BYTES = 64 << 10;

    /** A larger one is not read: one message is too large then. */
    public static final int MOST_BYTES = 256 << 20;

    private final ChainCodec codec;
    private final int fullBytes;
    private final ObjIntConsumer<byte[]> sender;
    private final Map<Integer, DataOut> byNode = new TreeMap<>();

    /**
     * @param fullBytes so many make a packet full
     * @param sender is given packets, and the node that each is for
     */
    public Packets(ChainCodec codec, int fullBytes, ObjIntConsumer<byte[]> sender) {
        this.codec = codec;
        this.fullBytes = fullBytes;
        this.sender = sender;
    }

    /** To whoever serves there what the message {@linkplain ChainMessage#to is to}. */
    public void add(int node, ChainMessage message) {
        DataOut one = new DataOut(128);
        codec.write(message, one);
        DataOut packet = byNode.computeIfAbsent(node, first -> new DataOut(512).u8(VERSION));
        packet.sized(one.toBytes());
        if (packet.size() >= fullBytes) {
            byNode.remove(node);
            sender.accept(packet.toBytes(), node);
        }
    }

    /** The step is over. */
    public void flush() {
        Map<Integer, DataOut> last = new TreeMap<>(byNode);
        byNode.clear();
        last.forEach((node, packet) -> sender.accept(packet.toBytes(), node));
    }

    /**
     * What is in a packet.
     *
     * @throws BadDataException if it is none; then nothing of it is believed
     */
    public static List<ChainMessage> read(byte[] packet, ChainCodec codec) throws BadDataException {
        if (packet.length > MOST_BYTES) {
            throw new BadDataException("a packet of " + packet.length + " bytes");
        }
        DataIn in = new DataIn(packet);
        int version = in.u8();
        if (version != VERSION) {
            throw new BadDataException("version " + version + " of messages between chain servers is not known");
        }
        List<ChainMessage> messages = new ArrayList<>();
        while (in.remaining() > 0) {
            messages.add(codec.read(new DataIn(in.sized("a message"))));
        }
        return messages;
    }
}
