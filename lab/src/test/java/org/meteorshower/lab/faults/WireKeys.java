/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What somebody who knows the shared secret can compute of one connection. */
final class WireKeys {
    private final byte[] base;

    /**
     * @param hello what the connector sent
     * @param welcome what came back, proof included
     */
    WireKeys(String secret, byte[] hello, byte[] welcome) throws Exception {
        byte[] unproved = Arrays.copyOf(welcome, welcome.length - Wire.PROOF_BYTES);
        base = mac(
                secret.getBytes(StandardCharsets.UTF_8),
                ByteBuffer.allocate(64).put(sha(hello)).put(sha(unproved)).array());
    }

    byte[] proof() throws Exception {
        return derive("the connector knows the secret");
    }

    /** A frame after the handshake, with its tag, as the first that is sent. */
    byte[] firstFrame(int type, byte[] content) throws Exception {
        byte[] tagged = ByteBuffer.allocate(9 + content.length)
                .putLong(1)
                .put((byte) type)
                .put(content)
                .array();
        byte[] tag = Arrays.copyOf(mac(derive("frames to the acceptor"), tagged), 8);
        return Wire.frame(
                type,
                ByteBuffer.allocate(content.length + 8).put(content).put(tag).array());
    }

    private byte[] derive(String purpose) throws Exception {
        return mac(base, purpose.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] mac(byte[] key, byte[] message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message);
    }

    private static byte[] sha(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
