/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

/**
 * Signs names that clients keep and bring back, so that they can neither be guessed nor be used by another:
 * {@code name.secret.code}, where the code is 16 bytes of an HMAC-SHA-256, in hexadecimal digits, over the name and its
 * owner. Thread-safe.
 */
public final class Seal {
    /** Sets what is signed here apart from session tokens, which begin with a version number. */
    private static final String PURPOSE = "name";

    private static final int CODE_BYTES = 16;
    private static final Pattern SEALED = Pattern.compile("(.{1,200})\\.(\\d{1,3})\\.([0-9a-f]{32})");

    private final TokenSecrets secrets;

    Seal(TokenSecrets secrets) {
        this.secrets = secrets;
    }

    /** @param owner who alone may bring it back */
    public String seal(String name, String owner) {
        int id = secrets.currentId();
        byte[] code = secrets.code(id, signed(name, owner), CODE_BYTES);
        if (code == null) {
            throw new IllegalStateException("the current secret is gone");
        }
        return name + "." + id + "." + HexFormat.of().formatHex(code);
    }

    /**
     * The name.
     *
     * @throws BadTokenException if no node of this cluster has sealed it for this owner
     */
    public String open(String sealed, String owner) throws BadTokenException {
        Matcher parts = SEALED.matcher(sealed);
        if (!parts.matches()) {
            throw new BadTokenException("it is not of the form that a node gives: it was cut or altered");
        }
        String name = parts.group(1);
        byte[] expected = secrets.code(Integer.parseInt(parts.group(2)), signed(name, owner), CODE_BYTES);
        if (expected == null) {
            throw new BadTokenException("it was signed with secret " + parts.group(2)
                    + ", which this node does not have: give all nodes the same token_secrets");
        }
        if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(parts.group(3)))) {
            throw new BadTokenException("it was opened by another role, or is forged, or comes from another cluster");
        }
        return name;
    }

    private static byte[] signed(String name, String owner) {
        byte[] ownerBytes = owner.getBytes(StandardCharsets.UTF_8);
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] purpose = PURPOSE.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(purpose.length + Integer.BYTES + ownerBytes.length + nameBytes.length)
                .put(purpose)
                .putInt(ownerBytes.length)
                .put(ownerBytes)
                .put(nameBytes)
                .array();
    }
}
