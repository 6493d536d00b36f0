/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Session tokens as clients carry them: 1 byte version, 8 bytes cut in microseconds (big-endian), 1 byte id of the
 * secret, 16 bytes of an HMAC-SHA-256 over what comes before. A client can keep and compare tokens but not make one, so
 * none can push the cluster's clocks ahead. Thread-safe.
 */
public final class TokenFormat {
    private static final byte VERSION = 1;
    private static final int SIGNED_BYTES = 1 + Long.BYTES + 1;
    private static final int CODE_BYTES = 16;
    private static final int LENGTH_BYTES = SIGNED_BYTES + CODE_BYTES;

    private final TokenSecrets secrets;

    public TokenFormat(TokenSecrets secrets) {
        this.secrets = secrets;
    }

    /** For names, with the same secrets. */
    public Seal seal() {
        return new Seal(secrets);
    }

    public ByteBuffer encode(long cutMicros) {
        int id = secrets.currentId();
        byte[] signed = ByteBuffer.allocate(SIGNED_BYTES)
                .put(VERSION)
                .putLong(cutMicros)
                .put((byte) id)
                .array();
        byte[] code = secrets.code(id, signed, CODE_BYTES);
        if (code == null) {
            throw new IllegalStateException("the current secret is gone");
        }
        return ByteBuffer.allocate(LENGTH_BYTES).put(signed).put(code).flip();
    }

    /**
     * The token's cut; 0 for the empty token of a session that has seen nothing. Does not move the buffer's position.
     *
     * @throws BadTokenException if no node of this cluster made it; the message says what is wrong
     */
    public long decode(ByteBuffer token) throws BadTokenException {
        byte[] bytes = ByteBufferUtil.getArray(token);
        if (bytes.length == 0) {
            return 0;
        }
        if (bytes[0] != VERSION) {
            throw new BadTokenException("the session token has version " + bytes[0] + ", and this node knows version "
                    + VERSION + ": it comes from another release, or was altered");
        }
        if (bytes.length != LENGTH_BYTES) {
            throw new BadTokenException("the session token has " + bytes.length + " bytes instead of " + LENGTH_BYTES
                    + ": it was cut or altered");
        }
        int id = bytes[SIGNED_BYTES - 1] & 0xff;
        byte[] expected = secrets.code(id, Arrays.copyOf(bytes, SIGNED_BYTES), CODE_BYTES);
        if (expected == null) {
            throw new BadTokenException("the session token was signed with secret " + id
                    + ", which this node does not have: give all nodes the same token_secrets");
        }
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(bytes, SIGNED_BYTES, LENGTH_BYTES))) {
            throw new BadTokenException(
                    "the session token is forged or comes from another cluster: start a new session,"
                            + " and check that all nodes have the same token_secret");
        }
        long cutMicros = ByteBuffer.wrap(bytes).getLong(1);
        if (cutMicros < 0) {
            throw new BadTokenException("the session token holds a negative time");
        }
        return cutMicros;
    }

    /** A token that no node of this cluster made. */
    public static final class BadTokenException extends Exception {
        private static final long serialVersionUID = 1L;

        BadTokenException(String message) {
            super(message);
        }
    }
}
