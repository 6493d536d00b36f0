/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.PluginArguments;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor cluster start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "Start a cluster and wait until every node serves CQL and sees the others.",
        footer = {
            "",
            "Examples:",
            "  ./meteor cluster start                                  three data centres, no delay",
            "  ./meteor cluster start --delay 50                       50 ms one way between any two",
            "  ./meteor cluster start --dcs eu,us,asia --delay 50,75,120",
            "                                                          eu-us 50, us-asia 75, eu-asia 120",
            "  ./meteor cluster start --name two --first-address 127.0.1.1",
            "                                                          a second cluster beside the first",
            ExitCodes.TEXT
        })
final class StartCommand implements Callable<Integer> {
    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Mixin
    private ClusterArguments cluster = new ClusterArguments();

    @Option(names = "--nodes-per-dc", paramLabel = "M", description = "nodes in each data centre (default: 1)")
    private int nodesPerDc = 1;

    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "one-way delay between data centres in milliseconds: one number for all pairs; for three"
                    + " data centres three, for the pairs 1-2, 2-3, 1-3; otherwise one per pair in the order 1-2, 1-3, …,"
                    + " 2-3, … (default: 0)")
    private String delay = "0";

    @Option(names = "--jitter", paramLabel = "MS", description = "random extra delay, 0 to MS (default: 0)")
    private double jitterMillis;

    @Option(
            names = "--loss",
            paramLabel = "PCT",
            description = "messages lost between data centres, in percent (default: 0)")
    private double lossPercent;

    @Option(names = "--no-plugin", description = "plain Cassandra: no MeteorShower, no emulated network")
    private boolean noPlugin;

    @Option(names = "--heap", paramLabel = "MB", description = "heap of each node (default: 256)")
    private int heapMegabytes = 256;

    @Mixin
    private PluginArguments plugin = new PluginArguments();

    @Option(
            names = "--cassandra-option",
            paramLabel = "KEY=VALUE",
            description = "a line for cassandra.yaml, VALUE as YAML; may be repeated")
    private Map<String, String> cassandraOptions = new LinkedHashMap<>();

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "an option for each node's JVM, for example --jvm-option=-Xlog:gc; may be repeated")
    private List<String> jvmOptions = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long the nodes may take to be ready (default: 120)")
    private int timeoutSeconds = 120;

    private final PrintWriter out;

    StartCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        ClusterOptions options = cluster.options()
                .nodesPerDc(nodesPerDc)
                .delaysMillis(DelayList.parse(delay))
                .jitterMillis(jitterMillis)
                .lossFraction(lossPercent / 100)
                .plugin(!noPlugin)
                .heapMegabytes(heapMegabytes)
                .pluginOptions(plugin.options())
                .cassandraOptions(cassandraOptions)
                .jvmOptions(jvmOptions)
                .build();
        LocalCluster started = LocalCluster.start(
                place.installation(), place.folder(), options, Duration.ofSeconds(timeoutSeconds), out::println);
        started.detach();
        NodeSpec first = started.nodes().get(0);
        out.println("connect with: cqlsh " + first.address() + "   (driver: " + first.address() + ":"
                + NodeSpec.CQL_PORT + ", data centre " + first.dc() + ")");
        return ExitCodes.OK;
    }
}
