/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ContactArguments;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.console.Display;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor top}. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Watch all nodes of a cluster: reads and how they are served, transactions, what waits, lag, clocks, and what is wrong.",
            "Without --contact: the cluster that ./meteor cluster started. With it any cluster that runs the plugin.",
            "The exit code is 0, or with --once 1 where a node does not tell; 3 where there is no cluster."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor top",
            "  ./meteor top --once --json",
            "  CQL_PASSWORD=… ./meteor top --contact 10.0.0.1 --user operator"
        })
public final class TopCommand implements Callable<Integer> {
    private static final String CLEAR = "\033[H\033[2J";

    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Mixin
    private ContactArguments contact = new ContactArguments();

    @Option(names = "--once", description = "one picture, with rates of one second, and no more")
    private boolean once;

    @Option(names = "--json", description = "a line of JSON for each picture, for programs")
    private boolean json;

    @Option(names = "--interval", paramLabel = "SECONDS", description = "between two pictures (default: 2)")
    private double intervalSeconds = 2;

    private final PrintWriter out;

    public TopCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!(intervalSeconds >= 0.1 && intervalSeconds <= 3_600)) {
            throw new IllegalArgumentException("--interval must be from 0.1 to 3600 seconds, not " + intervalSeconds);
        }
        try (Observer observer = new Observer(targets(), credentials())) {
            List<Sight> sights = observer.look();
            if (once) {
                Thread.sleep(1_000);
                sights = observer.look();
                show(sights, false);
                return sights.stream().allMatch(sight -> sight.error() == null) ? 0 : 1;
            }
            while (true) {
                show(sights, Display.isTerminal() && !json);
                Thread.sleep(Math.round(1_000 * intervalSeconds));
                sights = observer.look();
            }
        }
    }

    private void show(List<Sight> sights, boolean clear) {
        if (json) {
            out.println(TopJson.of(sights, Instant.now()));
        } else {
            TopTable table = new TopTable(new Display(out, Display.isTerminal()));
            String time = LocalTime.now(ZoneId.systemDefault())
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString();
            out.println((clear ? CLEAR : "") + String.join("\n", table.lines(sights, time)));
        }
        out.flush();
    }

    private List<Target> targets() {
        InetSocketAddress address = contact.address();
        if (address != null) {
            return Contacts.discover(address, credentials());
        }
        return place.attach().nodes().stream()
                .map(node ->
                        new Target(node.name(), node.dc(), new InetSocketAddress(node.address(), NodeSpec.CQL_PORT)))
                .toList();
    }

    private NodeProbe.@Nullable Credentials credentials() {
        String user = contact.user();
        return user == null ? null : new NodeProbe.Credentials(user, contact.password());
    }
}
