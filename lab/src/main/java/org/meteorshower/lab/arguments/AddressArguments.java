/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import picocli.CommandLine.Option;

/** Where the nodes are that a command starts. */
public final class AddressArguments {
    private static final String USUAL = "127.0.0.1";

    @Option(
            names = "--first-address",
            paramLabel = "ADDRESS",
            description = "loopback address of the first node; the others follow it (default: 127.0.0.1)")
    private String firstAddress = USUAL;

    public String first() {
        return firstAddress;
    }

    /** As it is to be given again, after a space; empty where it is the usual one. */
    public String again() {
        return firstAddress.equals(USUAL) ? "" : " --first-address " + firstAddress;
    }
}
