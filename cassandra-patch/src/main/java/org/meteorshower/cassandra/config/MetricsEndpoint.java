/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where Prometheus is answered.
 *
 * @param secret what it must bring; null: nothing, which only an address of the loopback interface allows
 */
public record MetricsEndpoint(
        InetSocketAddress address, @Nullable String secret) {
    private static final int LEAST_CHARS = 16;

    /** Null if the file names no port. */
    static @Nullable MetricsEndpoint of(OptionMap metrics) throws ConfigException {
        int port = metrics.integer("port", 0, 0, 65_535);
        String name = metrics.string("address");
        String secret = metrics.string("secret");
        if (secret != null && !secret.matches("[!-~]{" + LEAST_CHARS + ",}")) {
            throw metrics.wrong(
                    "secret", null, "at least " + LEAST_CHARS + " letters, digits or signs of ASCII, without blanks");
        }
        if (port == 0) {
            return null;
        }
        // "localhost" may be any address; without a name it is this one.
        InetSocketAddress address = new InetSocketAddress(name == null ? "127.0.0.1" : name, port);
        if (address.isUnresolved()) {
            throw metrics.wrong("address", name, "an address of this machine");
        }
        if (secret == null && !address.getAddress().isLoopbackAddress()) {
            throw new ConfigException("option 'metrics.address' is '" + name
                    + "', which other machines can reach, and there is no 'metrics.secret': set one, and give it to"
                    + " Prometheus (authorization: {credentials: ...}), or leave metrics.address out, so that only this"
                    + " machine is answered");
        }
        return new MetricsEndpoint(address, secret);
    }

    /** Without the secret: what is printed ends up in logs. */
    @Override
    public String toString() {
        return address + (secret == null ? "" : ", with a secret");
    }
}
