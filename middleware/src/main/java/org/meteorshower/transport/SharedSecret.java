/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.nio.charset.StandardCharsets;

/** What all nodes of a cluster know and nobody else. Immutable; never shown in logs. */
public final class SharedSecret {
    private final byte[] bytes;

    public SharedSecret(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("the shared secret is empty; set one, or leave the option out");
        }
        bytes = secret.getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
