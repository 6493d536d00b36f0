/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that session tokens are authenticated with, by their id; the same on all nodes. New tokens are made with
 * one of them, tokens made with any are accepted, so that a secret can be replaced while sessions go on. Immutable and
 * thread-safe.
 */
public final class TokenSecrets {
    private static final String ALGORITHM = "HmacSHA256";

    private final Map<Integer, Mac> macs;
    private final int current;

    /**
     * @param secrets id (0..255) to secret; not empty
     * @param current the id of the one that new tokens are made with; null: the largest
     */
    public TokenSecrets(Map<Integer, byte[]> secrets, @Nullable Integer current) {
        TreeMap<Integer, Mac> sorted = new TreeMap<>();
        secrets.forEach((id, secret) -> sorted.put(id, ready(secret)));
        this.macs = Map.copyOf(sorted);
        this.current = current == null ? sorted.lastKey() : current;
    }

    int currentId() {
        return current;
    }

    /** The first {@code length} bytes of the code of {@code message}, or null if there is no such secret. */
    byte @Nullable [] code(int id, byte[] message, int length) {
        Mac ready = macs.get(id);
        if (ready == null) {
            return null;
        }
        try {
            // A copy of one that has the secret in it already: each token of each request needs one.
            Mac mac = (Mac) ready.clone();
            return Arrays.copyOf(mac.doFinal(message), length);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this Java's " + ALGORITHM + " cannot be copied, as every Java's can", e);
        }
    }

    private static Mac ready(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("this Java lacks " + ALGORITHM + ", which every Java has", e);
        }
    }
}
