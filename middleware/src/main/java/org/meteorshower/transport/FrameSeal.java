/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Tags the frames of one direction of one connection, or checks their tags. A tag depends on the connection's key, the
 * frame's content and how many frames went before, so a frame is good once, in its place. Used on one loop.
 */
final class FrameSeal {
    static final int TAG_BYTES = 8;
    /** What a frame is longer than its content: length, type and tag. */
    static final int OVERHEAD_BYTES = 4 + 1 + TAG_BYTES;

    private final Mac mac;
    private long counter;

    FrameSeal(Mac mac) {
        this.mac = mac;
    }

    /** The next frame, with length and tag. */
    ByteBuf seal(ByteBufAllocator allocator, int type, byte[] content) {
        int length = 1 + content.length + TAG_BYTES;
        ByteBuf frame = allocator.buffer(OVERHEAD_BYTES + content.length);
        frame.writeInt(length).writeByte(type).writeBytes(content);
        frame.writeBytes(tag(type, content, 0, content.length), 0, TAG_BYTES);
        return frame;
    }

    /** A frame of the handshake: no tag. */
    static ByteBuf bare(ByteBufAllocator allocator, int type, byte[] content) {
        return allocator
                .buffer(5 + content.length)
                .writeInt(1 + content.length)
                .writeByte(type)
                .writeBytes(content);
    }

    /** The content of the next frame, without type and tag. */
    byte[] open(byte[] frame) throws BadMessageException {
        int end = frame.length - TAG_BYTES;
        if (end < 1) {
            throw new BadMessageException("truncated: a frame of " + frame.length + " bytes has no tag");
        }
        byte[] expected = Arrays.copyOf(tag(frame[0], frame, 1, end - 1), TAG_BYTES);
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(frame, end, frame.length))) {
            throw new BadMessageException("frame " + counter + " has a wrong tag: forged, replayed or out of order");
        }
        return Arrays.copyOfRange(frame, 1, end);
    }

    private byte[] tag(int type, byte[] bytes, int from, int length) {
        counter++;
        for (int shift = 56; shift >= 0; shift -= 8) {
            mac.update((byte) (counter >>> shift));
        }
        mac.update((byte) type);
        mac.update(bytes, from, length);
        return mac.doFinal();
    }
}
