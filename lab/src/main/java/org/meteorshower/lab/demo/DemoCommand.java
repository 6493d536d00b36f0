/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.FarArguments;
import org.meteorshower.lab.arguments.JsonArguments;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.OutputFile;
import org.meteorshower.lab.demo.transactions.TransactionDemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Three real Cassandra nodes in three emulated data centres, clients in each of them, one mode of reading",
            "after the other on the same cluster, and the checker's verdict on everything the clients saw."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor demo                                 about two minutes",
            "  ./meteor demo --delay 50,75,120 --seconds 5 --json out.json",
            "  ./meteor demo --delay 0                       the same without distance",
            "  ./meteor demo --kill asia                     a data centre dies, the others go on",
            "  ./meteor demo transactions                    the same for transactions, see its own --help",
            "",
            "How it measures: every mode is warmed up, then measured in two rounds, the second in reverse order. No mode",
            "may do more operations a second than clients can whose writes cross the wide area (--rate), so that all are",
            "measured on an equally busy machine.",
            "",
            "Exit codes: 0 done, and no violation; 1 a violation, shown; 2 it could not run, the message says why.",
        })
public final class DemoCommand implements Callable<Integer> {
    @Mixin
    private FarArguments far = new FarArguments();

    @Mixin
    private ClusterArguments nodes = new ClusterArguments();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "how long each mode of MeteorShower is measured; plain Cassandra's two fifths of it"
                    + " (default: 20)")
    private int seconds = 20;

    @Option(names = "--threads", paramLabel = "N", description = "clients in all (default: 24)")
    private int threads = 24;

    @Option(names = "--rows", paramLabel = "N", description = "rows, drawn uniformly (default: 1000)")
    private int rows = 1000;

    @Option(names = "--read-share", paramLabel = "0..1", description = "share of reads (default: 0.5)")
    private double readShare = 0.5;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "operations a second that all clients together do at most, 0: no limit (default: what they"
                    + " reach when a write is a round trip to the nearest data centre and a read is nothing; at most"
                    + " 1000)")
    private @Nullable Double rate;

    @Option(
            names = "--modes",
            split = ",",
            paramLabel = "MODE",
            description =
                    "local_one, quorum, sequential, meteorshower1, meteorshower2, strict, strict_home (default: all)")
    private List<String> modes = List.of();

    @Option(
            names = "--kill",
            paramLabel = "DC",
            description = "in the end kill this data centre under load in sequential mode, and start it again")
    private @Nullable String kill;

    @Mixin
    private JsonArguments json = new JsonArguments();

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "write what the clients of MeteorShower saw to a file, for ./meteor check")
    private @Nullable Path history;

    @Option(names = "--keep", description = "leave the cluster running, also where the demo fails")
    private boolean keep;

    @Option(names = "--no-plugin", hidden = true, description = "plain Cassandra and its modes only")
    private boolean noPlugin;

    private final PrintWriter out;
    private final PrintWriter err;

    public DemoCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** With its subcommands. */
    public static CommandLine line(PrintWriter out, PrintWriter err) {
        return new CommandLine(new DemoCommand(out, err)).addSubcommand(new TransactionDemoCommand(out, err));
    }

    @Override
    public Integer call() {
        DemoOptions options = options();
        try (Display display = Display.of(out)) {
            return run(options, display);
        }
    }

    private int run(DemoOptions options, Display display) {
        try {
            DemoResult result = new Demo(Installation.locate(), options, display).run();
            return result.violations() > 0
                    ? ExitCodes.WRONG
                    : result.undecided() > 0 ? ExitCodes.COULD_NOT_RUN : ExitCodes.RIGHT;
        } catch (ClusterException | DemoException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage());
            return ExitCodes.COULD_NOT_RUN;
        }
    }

    private DemoOptions options() {
        List<Double> delays = far.delaysMillis();
        ClusterOptions cluster = nodes.options()
                .delaysMillis(delays)
                .plugin(!noPlugin)
                .cassandraOptions(ClusterOptions.FOR_COMPARISONS)
                .build();
        double limit = rate == null ? Pace.defaultOperationsPerSecond(threads, readShare, nodes.dcs(), delays) : rate;
        return new DemoOptions(
                cluster,
                new Workload(threads, rows, readShare, limit),
                seconds,
                modes(),
                kill,
                json.file(),
                OutputFile.of("--history", history),
                keep);
    }

    private List<Mode> modes() {
        if (!modes.isEmpty()) {
            return modes.stream().map(Mode::parse).toList();
        }
        return List.of(Mode.values()).stream()
                .filter(mode -> !noPlugin || !mode.isServed())
                .toList();
    }
}
