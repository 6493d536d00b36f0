/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.WanLinks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The commands that change the emulated network. Each shows the network that results. */
final class WanChanges {
    private WanChanges() {}

    /** What they share: a cluster to act on. */
    private abstract static class OnWan implements Callable<Integer> {
        @ParentCommand
        private @Nullable WanCommand wan;

        @Mixin
        private ClusterPlace place = new ClusterPlace();

        private final PrintWriter out;

        OnWan(PrintWriter out) {
            this.out = out;
        }

        @Override
        public Integer call() {
            LocalCluster cluster = (wan == null ? place : place.or(wan.place())).attach();
            run(cluster);
            WanTable.print(cluster, out);
            return ExitCodes.OK;
        }

        abstract void run(LocalCluster cluster);
    }

    /** {@code meteor cluster wan set}. */
    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Set the one-way delay between two data centres, jitter and loss with it.",
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster wan set eu us 80",
                "  ./meteor cluster wan set eu us 80 --jitter 5 --loss 0.1",
                "  ./meteor cluster wan set eu us 200 --one-way     from eu to us only",
                ExitCodes.TEXT
            })
    static final class Set extends OnWan {
        @Parameters(index = "0", paramLabel = "FROM", description = "data centre")
        private String from = "";

        @Parameters(index = "1", paramLabel = "TO", description = "data centre")
        private String to = "";

        @Parameters(index = "2", paramLabel = "MS", description = "delay one way in milliseconds")
        private double delayMillis;

        @Option(names = "--jitter", paramLabel = "MS", description = "random extra delay, 0 to MS (default: 0)")
        private double jitterMillis;

        @Option(names = "--loss", paramLabel = "PCT", description = "messages lost, in percent (default: 0)")
        private double lossPercent;

        @Option(names = "--one-way", description = "only from FROM to TO")
        private boolean oneWay;

        Set(PrintWriter out) {
            super(out);
        }

        @Override
        void run(LocalCluster cluster) {
            new WanLinks(cluster).set(from, to, delayMillis, jitterMillis, lossPercent / 100, oneWay);
        }
    }

    /** {@code meteor cluster wan cut}. */
    @Command(
            name = "cut",
            mixinStandardHelpOptions = true,
            description = "Lose every message between two data centres, or between one and all others, until heal.",
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster wan cut asia                 asia from all others",
                "  ./meteor cluster wan cut eu us",
                "  ./meteor cluster wan cut eu us --one-way      us still reaches eu",
                ExitCodes.TEXT
            })
    static final class Cut extends OnWan {
        @Parameters(arity = "1..2", paramLabel = "DC", description = "one data centre or two")
        private List<String> dcs = new ArrayList<>();

        @Option(names = "--one-way", description = "only messages that the first data centre sends")
        private boolean oneWay;

        Cut(PrintWriter out) {
            super(out);
        }

        @Override
        void run(LocalCluster cluster) {
            @Nullable String other = dcs.size() > 1 ? dcs.get(1) : null;
            new WanLinks(cluster).cut(dcs.get(0), other, oneWay);
        }
    }

    /** {@code meteor cluster wan heal}. */
    @Command(
            name = "heal",
            mixinStandardHelpOptions = true,
            description = "Join everything that was cut. Delays, loss and clocks stay.",
            footer = {"", "Example:", "  ./meteor cluster wan heal", ExitCodes.TEXT})
    static final class Heal extends OnWan {
        Heal(PrintWriter out) {
            super(out);
        }

        @Override
        void run(LocalCluster cluster) {
            new WanLinks(cluster).heal();
        }
    }

    /** {@code meteor cluster wan clock}. */
    @Command(
            name = "clock",
            mixinStandardHelpOptions = true,
            description = "Make a node's clock wrong for the protocol by so many milliseconds; 0 sets it right.",
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster wan clock us-1 120000        two minutes ahead",
                "  ./meteor cluster wan clock us-1 -60000        a minute behind",
                ExitCodes.TEXT
            })
    static final class Clock extends OnWan {
        @Parameters(index = "0", paramLabel = "NODE", description = "name of the node, such as eu-1")
        private String node = "";

        @Parameters(index = "1", paramLabel = "MS", description = "how far ahead; negative is behind")
        private double offsetMillis;

        Clock(PrintWriter out) {
            super(out);
        }

        @Override
        void run(LocalCluster cluster) {
            new WanLinks(cluster).clock(node, offsetMillis);
        }
    }

    /** {@code meteor cluster wan disk}. */
    @Command(
            name = "disk",
            mixinStandardHelpOptions = true,
            description =
                    "Let each write of a node's journal take so many milliseconds longer; 0 makes it quick again.",
            footer = {"", "Example:", "  ./meteor cluster wan disk us-1 5", ExitCodes.TEXT})
    static final class Disk extends OnWan {
        @Parameters(index = "0", paramLabel = "NODE", description = "name of the node, such as eu-1")
        private String node = "";

        @Parameters(index = "1", paramLabel = "MS", description = "how much longer")
        private double pauseMillis;

        Disk(PrintWriter out) {
            super(out);
        }

        @Override
        void run(LocalCluster cluster) {
            new WanLinks(cluster).disk(node, pauseMillis);
        }
    }
}
