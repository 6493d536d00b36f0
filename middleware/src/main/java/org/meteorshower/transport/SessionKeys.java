/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one connection, derived from both ends' hellos, in which each put a fresh random number, and from the
 * shared secret. Only who knows the secret can derive them; without a secret anybody can who sees the handshake, and
 * they merely bind frames to their connection.
 */
final class SessionKeys {
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] NO_SECRET = "meteorshower without a secret".getBytes(StandardCharsets.UTF_8);

    private final byte[] base;

    /**
     * @param hello what the connector sent
     * @param welcome what the acceptor sent, less its proof
     */
    SessionKeys(@Nullable SharedSecret secret, byte[] hello, byte[] welcome) {
        Mac mac = mac(secret == null ? NO_SECRET : secret.bytes());
        mac.update(digest(hello));
        base = mac.doFinal(digest(welcome));
    }

    byte[] acceptorProof() {
        return derive("the acceptor knows the secret");
    }

    byte[] connectorProof() {
        return derive("the connector knows the secret");
    }

    FrameSeal toAcceptor() {
        return new FrameSeal(mac(derive("frames to the acceptor")));
    }

    FrameSeal toConnector() {
        return new FrameSeal(mac(derive("frames to the connector")));
    }

    private byte[] derive(String purpose) {
        return mac(base).doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
