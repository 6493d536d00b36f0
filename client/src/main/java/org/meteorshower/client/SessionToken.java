/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * What a session has seen: every statement that carries it is ordered after that. Immutable.
 *
 * <p>Layout: 1 byte version (1), 8 bytes big-endian cut in microseconds, 1 byte key id, 16 bytes
 * message authentication code. Only servers can make or verify one; a client orders them by their cut.
 * {@link #EMPTY} is a new session's token and the smallest.
 *
 * <p>A token is no secret and no permission: whoever has it learns a point in time. Take tokens only
 * from places that hand on what a server gave them, since a forged one makes every later statement of
 * the session fail.
 */
public final class SessionToken implements Comparable<SessionToken> {

    /** The token of a session that has seen nothing. */
    public static final SessionToken EMPTY = new SessionToken(new byte[0], Long.MIN_VALUE);

    private static final byte VERSION = 1;
    private static final int LENGTH_BYTES = 1 + Long.BYTES + 1 + 16;

    private final byte[] bytes;

    /** At least 0, or Long.MIN_VALUE for the empty token. */
    private final long cutMicros;

    private SessionToken(byte[] bytes, long cutMicros) {
        this.bytes = bytes;
        this.cutMicros = cutMicros;
    }

    /**
     * Decodes a token; the buffer's position stays where it is.
     *
     * @throws MalformedPayloadException if it is neither empty nor a token of version 1
     */
    public static SessionToken parse(ByteBuffer token) {
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
        long cutMicros = ByteBuffer.wrap(bytes).getLong(1);
        if (cutMicros < 0) {
            throw new MalformedPayloadException(
                    "A session token with the negative cut " + cutMicros + ": it was altered");
        }
        return new SessionToken(bytes, cutMicros);
    }

    /**
     * Decodes what {@link #toText} gave.
     *
     * @throws MalformedPayloadException if the text is not base64url or not a token
     */
    public static SessionToken parseText(String text) {
        try {
            return parse(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)));
        } catch (IllegalArgumentException e) {
            throw new MalformedPayloadException("A session token as text must be base64url: it was cut or altered", e);
        }
    }

    /** The token as it travels in the payload: a fresh, read-only buffer. */
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The token as text (base64url, no padding) for an HTTP header, a cookie or a message queue. */
    public String toText() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Whether this is the token of a session that has seen nothing. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** The later of the two; of two with the same cut, this one. */
    public SessionToken max(SessionToken other) {
        return other.compareTo(this) > 0 ? other : this;
    }

    /** Orders by cut. Consistent with equals only up to the authentication code. */
    @Override
    public int compareTo(SessionToken other) {
        return Long.compare(cutMicros, other.cutMicros);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SessionToken token && Arrays.equals(bytes, token.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The cut in microseconds, for logs. */
    @Override
    public String toString() {
        return isEmpty() ? "SessionToken[empty]" : "SessionToken[cut " + cutMicros + " µs]";
    }
}
