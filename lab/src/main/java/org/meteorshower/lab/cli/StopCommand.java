/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.LocalCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor cluster stop}. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = "End all nodes, in good order where they listen, and delete their data.",
        footer = {
            "",
            "Examples:",
            "  ./meteor cluster stop",
            "  ./meteor cluster stop --keep-data      start with the same options goes on with it",
            ExitCodes.TEXT
        })
final class StopCommand implements Callable<Integer> {
    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Option(names = "--keep-data", description = "keep data and logs for the next start")
    private boolean keepData;

    private final PrintWriter out;

    StopCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        LocalCluster cluster = place.attach();
        cluster.stop(keepData);
        out.println("stopped" + (keepData ? "; data kept in " + cluster.folder() : ", data deleted"));
        return ExitCodes.OK;
    }
}
