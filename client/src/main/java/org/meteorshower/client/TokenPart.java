/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** What a {@link SessionToken} is made of: a place in one order, signed by a server. Immutable. */
final class TokenPart {

    /** The group of all data centres. Also that of the order of sequential reads and writes, which has no groups. */
    static final int WHOLE = 0;

    /** Of a session that has seen nothing. */
    static final TokenPart EMPTY = new TokenPart(new byte[0], WHOLE, Long.MIN_VALUE);

    private static final byte VERSION = 1;
    private static final byte VERSION_OF_GROUPS = 2;
    private static final int LENGTH_BYTES = 1 + Long.BYTES + 1 + 16;

    private final byte[] bytes;

    /** At least 0. */
    private final int group;

    /** At least 0, or Long.MIN_VALUE for the empty one. */
    private final long place;

    private TokenPart(byte[] bytes, int group, long place) {
        this.bytes = bytes;
        this.group = group;
        this.place = place;
    }

    /**
     * The only part that there is; the buffer's position stays where it is.
     *
     * @throws MalformedPayloadException if it is neither empty nor of version 1
     */
    static TokenPart parse(ByteBuffer token) {
        ByteBuffer source = token.duplicate();
        if (!source.hasRemaining()) {
            return EMPTY;
        }
        byte version = source.get(source.position());
        if (version != VERSION) {
            throw unknownVersion(version);
        }
        if (source.remaining() != LENGTH_BYTES) {
            throw wrongLength(source.remaining(), LENGTH_BYTES);
        }
        return take(source);
    }

    /**
     * The next of several parts; the buffer's position moves behind it.
     *
     * @param source big-endian, with a byte at least
     * @throws MalformedPayloadException if it is none
     */
    static TokenPart take(ByteBuffer source) {
        byte version = source.get(source.position());
        if (version != VERSION && version != VERSION_OF_GROUPS) {
            throw unknownVersion(version);
        }
        int groupBytes = version == VERSION ? 0 : Integer.BYTES;
        byte[] bytes = new byte[LENGTH_BYTES + groupBytes];
        if (source.remaining() < bytes.length) {
            throw wrongLength(source.remaining(), bytes.length);
        }
        source.get(bytes);
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        int group = version == VERSION ? WHOLE : fields.getInt(1);
        if (group < 0 || (group == WHOLE && version != VERSION)) {
            throw new MalformedPayloadException("A session token of the group " + group + ": it was altered");
        }
        long place = fields.getLong(1 + groupBytes);
        if (place < 0) {
            throw new MalformedPayloadException("A session token with the negative cut " + place + ": it was altered");
        }
        return new TokenPart(bytes, group, place);
    }

    private static MalformedPayloadException unknownVersion(byte version) {
        return new MalformedPayloadException("A session token of version " + version + ", which this client does not"
                + " know here: update it, or look for what altered the bytes");
    }

    private static MalformedPayloadException wrongLength(int lengthBytes, int rightBytes) {
        return new MalformedPayloadException("A session token of " + lengthBytes + " bytes instead of " + rightBytes
                + ": it was cut or altered on its way");
    }

    boolean isEmpty() {
        return bytes.length == 0;
    }

    int lengthBytes() {
        return bytes.length;
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    int group() {
        return group;
    }

    long place() {
        return place;
    }

    /** The later one; of two at the same place, this one. For parts of one order. */
    TokenPart max(TokenPart other) {
        return other.place > place ? other : this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenPart part && Arrays.equals(bytes, part.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
