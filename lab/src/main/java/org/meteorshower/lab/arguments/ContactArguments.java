/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.NodeSpec;
import picocli.CommandLine.Option;

/** A cluster that {@code ./meteor cluster} did not start: one of its nodes, and whom to log in as. */
public final class ContactArguments {
    @Option(
            names = "--contact",
            paramLabel = "HOST[:PORT]",
            description = "a node of the cluster, where ./meteor cluster did not start it")
    private @Nullable String contact;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "whom to log in as; the password is taken from the environment variable CQL_PASSWORD")
    private @Nullable String user;

    /** Null where none is named. Throws {@link IllegalArgumentException} naming the text and what is allowed. */
    public @Nullable InetSocketAddress address() {
        return contact == null ? null : parse(contact);
    }

    /** Null where nobody logs in. */
    public @Nullable String user() {
        return user;
    }

    /** Throws {@link IllegalArgumentException} where the environment has none. */
    public String password() {
        String password = System.getenv("CQL_PASSWORD");
        if (password == null) {
            throw new IllegalArgumentException("--user needs the password in the environment variable CQL_PASSWORD");
        }
        return password;
    }

    private static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? Integer.toString(NodeSpec.CQL_PORT) : text.substring(colon + 1);
        if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "--contact '" + text + "' is no node: give its address, or address:port, such as 10.0.0.1:9042");
        }
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(port));
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--contact '" + text + "': there is no host " + host);
        }
        return address;
    }
}
