/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Cuts the stream into frames: four bytes of length, then type and content. Memory is taken as bytes arrive, not as a
 * length promises, and strangers get only small frames.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    /** What a frame of the handshake may have: names and random numbers. */
    static final int HANDSHAKE_BYTES = 4_096;

    private int maxBytes = HANDSHAKE_BYTES;

    /** To be called on the channel's loop, when the other end is known. */
    void allow(int bytes) {
        maxBytes = bytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws BadMessageException {
        if (in.readableBytes() < 4) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > maxBytes) {
            // Nothing behind this can be told apart any more.
            in.skipBytes(in.readableBytes());
            throw new BadMessageException(
                    "a frame of " + Integer.toUnsignedString(length) + " bytes, where 1.." + maxBytes + " are allowed");
        }
        if (in.readableBytes() >= 4 + length) {
            in.skipBytes(4);
            byte[] frame = new byte[length];
            in.readBytes(frame);
            out.add(frame);
        }
    }
}
