/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.util.List;
import org.meteorshower.lab.cluster.ClusterOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The data centres of a cluster that a command starts, and where its nodes are. How far apart they are differs by
 * command.
 */
public final class ClusterArguments {
    @Option(names = "--dcs", split = ",", paramLabel = "NAME", description = "data centres (default: eu,us,asia)")
    private List<String> dcs = List.of("eu", "us", "asia");

    @Mixin
    private AddressArguments address = new AddressArguments();

    public List<String> dcs() {
        return dcs;
    }

    public AddressArguments address() {
        return address;
    }

    /** A cluster of these data centres at this address. */
    public ClusterOptions.Builder options() {
        return ClusterOptions.builder().dcs(dcs).firstAddress(address.first());
    }
}
