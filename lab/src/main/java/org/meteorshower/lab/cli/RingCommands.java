/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.ring.Ring;
import org.meteorshower.lab.ring.TableStates;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that change which nodes hold what: one node more, one less, another one, more or fewer replicas. */
final class RingCommands {
    private RingCommands() {}

    /** What they share: a cluster, patience, and a look at the enabled tables afterwards. */
    private abstract static class OnRing implements Callable<Integer> {
        @Mixin
        private ClusterPlace place = new ClusterPlace();

        @Option(
                names = "--timeout",
                paramLabel = "SECONDS",
                description = "how long the change may take, and then the tables to be served (default: 300)")
        private int timeoutSeconds = 300;

        @Option(
                names = "--no-wait",
                description = "do not wait until every node serves the enabled tables again; begin no other change"
                        + " before")
        private boolean noWait;

        private final PrintWriter out;

        OnRing(PrintWriter out) {
            this.out = out;
        }

        @Override
        public final Integer call() {
            if (timeoutSeconds < 1) {
                throw new IllegalArgumentException("--timeout must be at least 1, not " + timeoutSeconds);
            }
            LocalCluster cluster = place.attach();
            Duration limit = Duration.ofSeconds(timeoutSeconds);
            long startNanos = System.nanoTime();
            run(new Ring(cluster, limit, this::say));
            if (cluster.options().plugin() && !noWait) {
                awaitServed(cluster, limit, startNanos);
            }
            return ExitCodes.OK;
        }

        private void awaitServed(LocalCluster cluster, Duration limit, long startNanos) {
            try (TableStates states = new TableStates(cluster)) {
                if (states.tables().isEmpty()) {
                    return;
                }
                say("waiting until every node serves the enabled tables");
                List<String> not = states.awaitServed(limit, this::say);
                if (!not.isEmpty()) {
                    throw new ClusterException("after " + timeoutSeconds + " s:\n  " + String.join("\n  ", not)
                            + "\nSee docs/OPERATE.md, \"A table stays unserved\"");
                }
                say("every node serves every enabled table, " + (System.nanoTime() - startNanos) / 1_000_000_000
                        + " s after the command");
            }
        }

        final void say(String line) {
            out.println(line);
            out.flush();
        }

        abstract void run(Ring ring);
    }

    /** {@code meteor cluster add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Start one more node of a data centre, and wait until it has joined the ring.",
                "It takes the middle of the largest range there, gets its partitions from the others while they serve,"
                        + " and is called DC-2 and so on."
            },
            footer = {"", "Example:", "  ./meteor cluster add eu", ExitCodes.TEXT})
    static final class Add extends OnRing {
        @Parameters(paramLabel = "DC", description = "data centre, such as eu")
        private String dc = "";

        Add(PrintWriter out) {
            super(out);
        }

        @Override
        void run(Ring ring) {
            NodeSpec node = ring.add(dc);
            say(node.name() + " is there: " + node.address() + ":" + NodeSpec.CQL_PORT);
        }
    }

    /** {@code meteor cluster remove}. */
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {
                "Take a node away for good, be it up or dead.",
                "One that is up is decommissioned: it hands over what it holds, and leaves. A dead one is removed"
                        + " (removenode): the others get from each other what it held. The last node of a data centre"
                        + " stays, and so does one without which a keyspace would have fewer nodes than replicas."
            },
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster remove eu-2",
                "  ./meteor cluster kill eu-2; ./meteor cluster remove eu-2      as after a crash",
                ExitCodes.TEXT
            })
    static final class Remove extends OnRing {
        @Parameters(paramLabel = "NODE", description = "name of the node, such as eu-2")
        private String node = "";

        Remove(PrintWriter out) {
            super(out);
        }

        @Override
        void run(Ring ring) {
            say(node + " is out of the ring (" + ring.remove(node) + ")");
        }
    }

    /** {@code meteor cluster replace}. */
    @Command(
            name = "replace",
            mixinStandardHelpOptions = true,
            description = {
                "Put a new node with an empty disk in the place of a dead one.",
                "It starts with replace_address_first_boot, takes over the dead one's tokens, and gets what that held"
                        + " from the others. It has a name and an address of its own: under the dead one's address a"
                        + " node with the plugin does not start."
            },
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster replace us-1              it is down",
                "  ./meteor cluster replace us-1 --kill       it is up: killed first",
                ExitCodes.TEXT
            })
    static final class Replace extends OnRing {
        @Parameters(paramLabel = "NODE", description = "name of the node, such as us-1")
        private String node = "";

        @Option(names = "--kill", description = "kill the node first, where it runs")
        private boolean kill;

        Replace(PrintWriter out) {
            super(out);
        }

        @Override
        void run(Ring ring) {
            NodeSpec fresh = ring.replace(node, kill);
            say(fresh.name() + " is there in the place of " + node + ": " + fresh.address() + ":" + NodeSpec.CQL_PORT);
        }
    }

    /** {@code meteor cluster rf}. */
    @Command(
            name = "rf",
            mixinStandardHelpOptions = true,
            description = {
                "Change how many replicas a data centre has.",
                "Alters the keyspaces with enabled tables, or those named, and says what Cassandra asks you to run"
                        + " then; --run does it."
            },
            footer = {
                "",
                "Examples:",
                "  ./meteor cluster rf eu 2",
                "  ./meteor cluster rf eu 2 --run             with the repair that Cassandra asks for",
                "  ./meteor cluster rf eu 1 --keyspace shop",
                ExitCodes.TEXT
            })
    static final class ReplicationFactor extends OnRing {
        @Parameters(index = "0", paramLabel = "DC", description = "data centre, such as eu")
        private String dc = "";

        @Parameters(index = "1", paramLabel = "N", description = "replicas there; at most as many as it has nodes")
        private int count;

        @Option(
                names = "--keyspace",
                paramLabel = "NAME",
                description = "alter this keyspace; may be repeated (default: those with enabled tables)")
        private List<String> keyspaces = new ArrayList<>();

        @Option(names = "--run", description = "run what Cassandra asks for: repair, or cleanup")
        private boolean follow;

        ReplicationFactor(PrintWriter out) {
            super(out);
        }

        @Override
        void run(Ring ring) {
            Ring.Altered altered = ring.replicas(dc, count, keyspaces);
            if (follow) {
                ring.follow(dc, altered);
                return;
            }
            List<String> demands = Ring.demands(dc, altered);
            if (!demands.isEmpty()) {
                say("Cassandra asks for this now (--run does it"
                        + (altered.more().isEmpty()
                                ? "):"
                                : "; enabled tables are repaired by the nodes themselves, others by nobody else):"));
                demands.forEach(demand -> say("  " + demand));
            }
        }
    }
}
