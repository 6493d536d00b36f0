/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code meteor cluster status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Show each node: up (serves CQL), silent (runs, does not serve), paused or down.",
            "The exit code is 0 where all are up, 1 where one is not, 3 where there is no cluster."
        },
        footer = {"", "Example:", "  ./meteor cluster status"})
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private ClusterPlace place = new ClusterPlace();

    private final PrintWriter out;

    StatusCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        LocalCluster cluster = place.attach();
        out.printf(
                Locale.ROOT, "%-12s %-10s %-7s %-21s %8s %8s%n", "NODE", "DC", "STATE", "CQL ADDRESS", "PID", "MEMORY");
        boolean allUp = true;
        for (NodeStatus node : cluster.status()) {
            NodeSpec spec = node.spec();
            allUp &= node.state() == NodeStatus.State.UP;
            out.printf(
                    Locale.ROOT,
                    "%-12s %-10s %-7s %-21s %8s %8s%n",
                    spec.name(),
                    spec.dc(),
                    node.state().name().toLowerCase(Locale.ROOT),
                    spec.address() + ":" + NodeSpec.CQL_PORT,
                    node.pid() == 0 ? "-" : Long.toString(node.pid()),
                    node.pid() == 0 ? "-" : (node.residentBytes() >> 20) + " MB");
        }
        out.println((cluster.options().plugin() ? "with the MeteorShower plugin" : "plain Cassandra, no plugin")
                + "; data in " + cluster.folder());
        return allUp ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
