/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.OutputFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meteor torture transactions}. */
@Command(
        name = "transactions",
        mixinStandardHelpOptions = true,
        description = {
            "Transactions on real nodes in emulated data centres while one fault after the other strikes: transfers, a row that",
            "all append to, orders of many rows, strict reads and snapshots, from clients in all data centres. Two of three are",
            "the Java client, which sends again under the same number; the others send once. In the end the checker says",
            "whether all that they saw is strictly serializable, no money may be missing in the end nor in any snapshot, no",
            "session may have gone back, and all data centres must serve and be in one state."
        },
        footer = {
            "",
            "Faults: kill, stop, rolling_restart, pause, cut, mute, slow, loss, clock, full_disk, upgrade, outage;",
            "  with --nodes 3 or more also kill_runner, stop_runner, pause_runner, of the node that runs the transactions",
            "",
            "Examples:",
            "  ./meteor torture transactions --minutes 5 --json t.json",
            "  ./meteor torture transactions --minutes 1 --faults kill,outage --seed 7",
            "  ./meteor torture transactions --dcs eu --nodes 3      takeovers inside one data centre",
            "",
            "The same seed gives the same faults in the same order; what the nodes make of them depends on their threads.",
            "",
            "Exit codes: 0 nothing is wrong; 1 something is, it is shown; 2 it could not run.",
        })
public final class TransactionTortureCommand implements Callable<Integer> {
    private static final int RIGHT = 0;
    private static final int WRONG = 1;
    private static final int COULD_NOT_RUN = 2;

    @Option(names = "--minutes", paramLabel = "M", description = "how long faults strike (default: 5)")
    private double minutes = 5;

    @Option(names = "--seed", paramLabel = "N", description = "decides the faults (default: drawn, and printed)")
    private @Nullable Long seed;

    @Option(names = "--faults", split = ",", paramLabel = "FAULT", description = "which faults (default: all)")
    private List<String> faults = List.of();

    @Option(names = "--clients", paramLabel = "N", description = "clients at work (default: 12)")
    private int clients = 12;

    @Option(names = "--rows", paramLabel = "N", description = "accounts; one is written by all (default: 16)")
    private int rows = 16;

    @Option(names = "--rate", paramLabel = "N", description = "transactions a second at most, in all (default: 150)")
    private double rate = 150;

    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "one-way delay between data centres (default: 10)")
    private String delay = "10";

    @Option(names = "--dcs", split = ",", paramLabel = "NAME", description = "data centres (default: eu,us,asia)")
    private List<String> dcs = List.of("eu", "us", "asia");

    @Option(names = "--nodes", paramLabel = "N", description = "in each data centre (default: 1)")
    private int nodes = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures to a file")
    private @Nullable Path json;

    @Option(names = "--timeline", paramLabel = "FILE", description = "where the picture goes (default: torture.svg)")
    private Path timeline = Path.of("torture.svg");

    @Option(names = "--history", paramLabel = "FILE", description = "write what the clients saw, for ./meteor check")
    private @Nullable Path history;

    @Option(
            names = "--first-address",
            paramLabel = "ADDRESS",
            description = "loopback address of the first node; the others follow it (default: 127.0.0.1)")
    private String firstAddress = "127.0.0.1";

    private final PrintWriter out;
    private final PrintWriter err;

    TransactionTortureCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        TransactionTortureOptions options = options();
        try (Display display = Display.of(out)) {
            return run(options, display);
        }
    }

    private int run(TransactionTortureOptions options, Display display) throws InterruptedException {
        String replay = String.format(
                        Locale.ROOT,
                        "./meteor torture transactions --seed %d --minutes %s --dcs %s --nodes %d --delay %s --clients %d"
                                + " --rows %d --rate %s",
                        options.seed(),
                        minutes,
                        String.join(",", dcs),
                        nodes,
                        delay,
                        clients,
                        rows,
                        rate)
                + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults))
                + (firstAddress.equals("127.0.0.1") ? "" : " --first-address " + firstAddress);
        try {
            display.say("the faults are those of seed " + options.seed());
            TransactionTortureResult result = new TransactionTorture(Installation.locate(), options, display).run();
            TransactionTortureReport.lines(result).forEach(display::say);
            if (json != null) {
                TortureReport.write(TransactionTortureReport.json(result), json);
            }
            if (!result.isRight()) {
                display.say("again: " + replay);
            }
            return result.isRight() ? RIGHT : WRONG;
        } catch (ClusterException | DriverException e) {
            display.tell(err, "error: " + e.getMessage() + "\nagain: " + replay);
            return COULD_NOT_RUN;
        }
    }

    private TransactionTortureOptions options() {
        ClusterOptions cluster = ClusterOptions.builder()
                .dcs(dcs)
                .nodesPerDc(nodes)
                .delaysMillis(DelayList.parse(delay))
                .firstAddress(firstAddress)
                // Shorter than usual, so that what must time out does so soon.
                .cassandraOptions(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                .build();
        List<FaultKind> possible = FaultKind.ofTransactions(dcs.size(), nodes);
        return new TransactionTortureOptions(
                cluster,
                Duration.ofMillis((long) (minutes * 60_000)),
                seed == null ? System.nanoTime() % 1_000_000 : seed,
                faults.isEmpty()
                        ? possible
                        : faults.stream()
                                .map(word -> FaultKind.named(word, possible))
                                .toList(),
                clients,
                rows,
                rate,
                OutputFile.of("--json", json),
                Objects.requireNonNull(OutputFile.of("--timeline", timeline)),
                OutputFile.of("--history", history));
    }
}
