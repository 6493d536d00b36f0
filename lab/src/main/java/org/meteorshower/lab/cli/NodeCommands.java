/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.LocalCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that do something to one node. */
final class NodeCommands {
    private NodeCommands() {}

    /** What they share: a cluster and a node's name. */
    private abstract static class OnNode implements Callable<Integer> {
        @Mixin
        private ClusterPlace place = new ClusterPlace();

        @Parameters(paramLabel = "NODE", description = "name of the node, such as eu-1")
        private String node = "";

        private final PrintWriter out;

        OnNode(PrintWriter out) {
            this.out = out;
        }

        @Override
        public Integer call() {
            out.println(run(place.attach(), node));
            return ExitCodes.OK;
        }

        PrintWriter out() {
            return out;
        }

        /** Does it, and gives the sentence that says so. */
        abstract String run(LocalCluster cluster, String name);
    }

    /** {@code meteor cluster kill}. */
    @Command(
            name = "kill",
            mixinStandardHelpOptions = true,
            description = "Kill a node with SIGKILL, as a crash would. Its data stays.",
            footer = {"", "Example:", "  ./meteor cluster kill asia-1", ExitCodes.TEXT})
    static final class Kill extends OnNode {
        Kill(PrintWriter out) {
            super(out);
        }

        @Override
        String run(LocalCluster cluster, String name) {
            cluster.kill(name);
            return name + " killed";
        }
    }

    /** {@code meteor cluster pause}. */
    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Stop a node's process where it is (SIGSTOP), connections open, until resume.",
            footer = {"", "Example:", "  ./meteor cluster pause us-1", ExitCodes.TEXT})
    static final class Pause extends OnNode {
        Pause(PrintWriter out) {
            super(out);
        }

        @Override
        String run(LocalCluster cluster, String name) {
            cluster.pause(name);
            return name + " paused; it goes on with ./meteor cluster resume " + name;
        }
    }

    /** {@code meteor cluster resume}. */
    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description = "Let a paused node go on (SIGCONT).",
            footer = {"", "Example:", "  ./meteor cluster resume us-1", ExitCodes.TEXT})
    static final class Resume extends OnNode {
        Resume(PrintWriter out) {
            super(out);
        }

        @Override
        String run(LocalCluster cluster, String name) {
            cluster.resume(name);
            return name + " goes on";
        }
    }

    /** {@code meteor cluster restart}. */
    @Command(
            name = "restart",
            mixinStandardHelpOptions = true,
            description = "Start a node again on its data; end it first, in good order, if it runs.",
            footer = {"", "Example:", "  ./meteor cluster restart asia-1", ExitCodes.TEXT})
    static final class Restart extends OnNode {
        @Option(
                names = "--timeout",
                paramLabel = "SECONDS",
                description = "how long the node may take to be ready (default: 120)")
        private int timeoutSeconds = 120;

        Restart(PrintWriter out) {
            super(out);
        }

        @Override
        String run(LocalCluster cluster, String name) {
            cluster.restart(name, Duration.ofSeconds(timeoutSeconds), out()::println);
            return name + " restarted";
        }
    }
}
