/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
            "Added nodes are among them; those that have left, were removed or replaced are named below.",
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
        List<NodeSpec> gone = cluster.gone();
        if (!gone.isEmpty()) {
            out.println("not in the ring any more: "
                    + gone.stream()
                            .map(node -> node.name() + " (" + node.address() + ")")
                            .collect(Collectors.joining(", ")));
        }
        out.println((cluster.options().plugin() ? "with the MeteorShower plugin" : "plain Cassandra, no plugin")
                + "; data in " + cluster.folder());
        return allUp ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
