/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Session tokens as clients carry them: 1 byte version, 8 bytes place (big-endian), 1 byte id of the secret, 16 bytes
 * of an HMAC-SHA-256 over what comes before. The place is a cut in microseconds, or a count of transactions' entries.
 * In version 2 the number of a group of lanes (4 bytes) stands before it. A client can keep and compare tokens but not
 * make one, so none can push the cluster's clocks ahead. Thread-safe.
 */
public final class TokenFormat {
    private static final byte VERSION = 1;
    private static final byte OF_A_GROUP = 2;
    private static final int CODE_BYTES = 16;

    /** One for each group of lanes; more than there can be. */
    private static final int MOST_PARTS = 64;

    /** Behind the version, and the group's number where there is one. */
    private static final int REST_BYTES = Long.BYTES + 1 + CODE_BYTES;

    private final TokenSecrets secrets;

    /**
     * A place that a token holds.
     *
     * @param group of lanes, in which it is a place; 0 for the one of all data centres, and for cuts
     */
    public record Part(int group, long place) {}

    public TokenFormat(TokenSecrets secrets) {
        this.secrets = secrets;
    }

    /** For names, with the same secrets. */
    public Seal seal() {
        return new Seal(secrets);
    }

    public ByteBuffer encode(long place) {
        return encode(new Part(0, place));
    }

    public ByteBuffer encode(Part part) {
        int id = secrets.currentId();
        ByteBuffer head = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES + 1);
        if (part.group == 0) {
            head.put(VERSION);
        } else {
            head.put(OF_A_GROUP).putInt(part.group);
        }
        byte[] signed = Arrays.copyOf(head.putLong(part.place).put((byte) id).array(), head.position());
        byte[] code = secrets.code(id, signed, CODE_BYTES);
        if (code == null) {
            throw new IllegalStateException("the current secret is gone");
        }
        return ByteBuffer.allocate(signed.length + CODE_BYTES)
                .put(signed)
                .put(code)
                .flip();
    }

    /**
     * The token's place; 0 for the empty token of a session that has seen nothing. Does not move the buffer's position.
     *
     * @throws BadTokenException if no node of this cluster made it; the message says what is wrong
     */
    public long decode(ByteBuffer token) throws BadTokenException {
        int length = token.remaining();
        if (length == 0) {
            return 0;
        }
        byte version = token.get(token.position());
        if (version != VERSION) {
            throw new BadTokenException("the session token has version " + version + ", and this node knows version "
                    + VERSION + ": it comes from another release, was altered, or is one of transactions");
        } else if (length != lengthOf(VERSION)) {
            throw new BadTokenException("the session token has " + length + " bytes instead of " + lengthOf(VERSION)
                    + ": it was cut or altered, or is one of transactions");
        }
        return part(ByteBufferUtil.getArray(token)).place;
    }

    /**
     * The places of a token of transactions: one for each group of lanes that the session has seen something of. Does
     * not move the buffer's position.
     *
     * @throws BadTokenException if no node of this cluster made it; the message says what is wrong
     */
    public List<Part> parts(ByteBuffer token) throws BadTokenException {
        byte[] bytes = ByteBufferUtil.getArray(token);
        List<Part> parts = new ArrayList<>();
        int from = 0;
        while (from < bytes.length) {
            int length = lengthOf(bytes[from]);
            if (bytes.length - from < length) {
                throw new BadTokenException("the session token has " + (bytes.length - from) + " bytes instead of "
                        + length + ": it was cut or altered");
            }
            if (parts.size() == MOST_PARTS) {
                throw new BadTokenException("the session token has more than " + MOST_PARTS + " parts: it was altered");
            }
            parts.add(part(Arrays.copyOfRange(bytes, from, from + length)));
            from += length;
        }
        return parts;
    }

    private static int lengthOf(byte version) throws BadTokenException {
        if (version != VERSION && version != OF_A_GROUP) {
            throw new BadTokenException("the session token has version " + version + ", and this node knows versions "
                    + VERSION + " and " + OF_A_GROUP + ": it comes from another release, or was altered");
        }
        return 1 + (version == OF_A_GROUP ? Integer.BYTES : 0) + REST_BYTES;
    }

    private Part part(byte[] bytes) throws BadTokenException {
        int signed = bytes.length - CODE_BYTES;
        int id = bytes[signed - 1] & 0xff;
        byte[] expected = secrets.code(id, Arrays.copyOf(bytes, signed), CODE_BYTES);
        if (expected == null) {
            throw new BadTokenException("the session token was signed with secret " + id
                    + ", which this node does not have: give all nodes the same token_secrets");
        }
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(bytes, signed, bytes.length))) {
            throw new BadTokenException(
                    "the session token is forged or comes from another cluster: start a new session,"
                            + " and check that all nodes have the same token_secret");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        Part part = new Part(in.get() == OF_A_GROUP ? in.getInt() : 0, in.getLong());
        if (part.place < 0 || part.group < 0) {
            throw new BadTokenException("the session token holds a negative time");
        }
        return part;
    }

    /** A token that no node of this cluster made. */
    public static final class BadTokenException extends Exception {
        private static final long serialVersionUID = 1L;

        BadTokenException(String message) {
            super(message);
        }
    }
}
