/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.JsonArguments;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.OutputFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands have alike that let faults strike: these options, and how a run is begun and told. */
abstract class TortureCommand implements Callable<Integer> {
    private static final String LIST = "?";

    @Option(names = "--minutes", paramLabel = "M", description = "how long faults strike (default: 5)")
    private double minutes = 5;

    @Option(names = "--seed", paramLabel = "N", description = "decides the faults (default: drawn, and printed)")
    private @Nullable Long seed;

    @Option(
            names = "--faults",
            split = ",",
            arity = "0..1",
            fallbackValue = LIST,
            paramLabel = "FAULT",
            description = "which faults (default: the usual ones); without a value: says which there are")
    private List<String> faults = List.of();

    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "one-way delay between data centres (default: 10)")
    private String delay = "10";

    @Mixin
    private ClusterArguments cluster = new ClusterArguments();

    @Mixin
    private JsonArguments json = new JsonArguments();

    @Option(names = "--timeline", paramLabel = "FILE", description = "where the picture goes (default: torture.svg)")
    private Path timeline = Path.of("torture.svg");

    private final PrintWriter out;
    private final PrintWriter err;

    TortureCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** A run whose arguments are checked. */
    interface Prepared {
        TortureReport run(Installation installation, Display display) throws InterruptedException;
    }

    // What differs.

    /** Throws {@link IllegalArgumentException} where the command's own arguments are wrong. */
    abstract Prepared prepare(TortureOptions shared);

    abstract List<FaultKind> possibleFaults(List<String> dcs);

    /** Those that strike where none is named. */
    List<FaultKind> usualFaults(List<String> dcs) {
        return possibleFaults(dcs);
    }

    /** More options of the nodes that these faults need. */
    Map<String, String> pluginOptions(List<FaultKind> kinds) {
        return Map.of();
    }

    final boolean namesFaults() {
        return !faults.isEmpty();
    }

    int nodesPerDc() {
        return 1;
    }

    /** What {@code --history} names. */
    abstract @Nullable Path history();

    /** The command and its own options, as they are to be given again. */
    abstract String command();

    // What is the same.

    @Override
    public final Integer call() throws InterruptedException {
        TortureOptions shared = shared();
        Path figures = json.file();
        Prepared prepared = prepare(shared);
        try (Display display = Display.of(out)) {
            return run(prepared, shared.seed(), figures, display);
        }
    }

    private int run(Prepared prepared, long drawn, @Nullable Path figures, Display display)
            throws InterruptedException {
        try {
            display.say("the faults are those of seed " + drawn);
            TortureReport report = prepared.run(Installation.locate(), display);
            report.lines().forEach(display::say);
            if (figures != null) {
                Json.write(report.json(), figures);
            }
            if (!report.isRight()) {
                display.say("again: " + again(drawn));
            }
            return report.isRight() ? ExitCodes.RIGHT : ExitCodes.WRONG;
        } catch (ClusterException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage() + "\nagain: " + again(drawn));
            return ExitCodes.COULD_NOT_RUN;
        }
    }

    private String again(long drawn) {
        return command() + " --seed " + drawn + " --minutes " + minutes + " --dcs " + String.join(",", cluster.dcs())
                + " --delay " + delay
                + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults))
                + cluster.address().again();
    }

    private TortureOptions shared() {
        List<FaultKind> possible = possibleFaults(cluster.dcs());
        require(
                !faults.contains(LIST),
                "--faults takes one or more of these, separated by commas:\n" + FaultKind.list(possible));
        List<FaultKind> kinds = faults.isEmpty()
                ? usualFaults(cluster.dcs())
                : faults.stream().map(word -> FaultKind.named(word, possible)).toList();
        return new TortureOptions(
                cluster.options()
                        .nodesPerDc(nodesPerDc())
                        .delaysMillis(DelayList.parse(delay))
                        .pluginOptions(pluginOptions(kinds))
                        // Shorter than usual, so that what must time out does so soon.
                        .cassandraOptions(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                        .build(),
                Duration.ofMillis((long) (minutes * 60_000)),
                seed == null ? System.nanoTime() % 1_000_000 : seed,
                kinds,
                Objects.requireNonNull(OutputFile.of("--timeline", timeline)),
                OutputFile.of("--history", history()));
    }
}
