/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One half of a {@link SessionToken}: a place in one of the two orders, signed by a server. Immutable. */
final class TokenHalf implements Comparable<TokenHalf> {

    static final TokenHalf EMPTY = new TokenHalf(new byte[0], Long.MIN_VALUE);

    private static final byte VERSION = 1;
    private static final int LENGTH_BYTES = 1 + Long.BYTES + 1 + 16;

    private final byte[] bytes;

    /** At least 0, or Long.MIN_VALUE for the empty one. */
    private final long place;

    private TokenHalf(byte[] bytes, long place) {
        this.bytes = bytes;
        this.place = place;
    }

    /** @throws MalformedPayloadException if it is neither empty nor of version 1 */
    static TokenHalf parse(ByteBuffer token) {
        ByteBuffer source = token.duplicate();
        if (!source.hasRemaining()) {
            return EMPTY;
        }
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        if (bytes[0] != VERSION) {
            throw new MalformedPayloadException("A session token of version " + bytes[0]
                    + "; this client knows version " + VERSION + ": update it, or look for what altered the bytes");
        }
        if (bytes.length != LENGTH_BYTES) {
            throw new MalformedPayloadException("A session token of " + bytes.length + " bytes instead of "
                    + LENGTH_BYTES + ": it was cut or altered on its way");
        }
        long place = ByteBuffer.wrap(bytes).getLong(1);
        if (place < 0) {
            throw new MalformedPayloadException("A session token with the negative cut " + place + ": it was altered");
        }
        return new TokenHalf(bytes, place);
    }

    boolean isEmpty() {
        return bytes.length == 0;
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    long place() {
        return place;
    }

    /** The later one; of two at the same place, this one. */
    TokenHalf max(TokenHalf other) {
        return other.compareTo(this) > 0 ? other : this;
    }

    @Override
    public int compareTo(TokenHalf other) {
        return Long.compare(place, other.place);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenHalf half && Arrays.equals(bytes, half.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
