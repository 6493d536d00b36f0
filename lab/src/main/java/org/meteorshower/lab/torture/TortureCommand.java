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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meteor torture}. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        description = {
            "Real nodes under load while one fault after the other strikes a data centre: killed, stopped, paused, cut off,",
            "slow, lossy, its clock off, its disk full or slow, its nodes replaced by others; the table disabled, nodes without the plugin. In the end the checker says whether what all sessions saw is",
            "sequentially consistent, and every acknowledged write is looked for."
        },
        footer = {
            "",
            "Faults: kill, stop, rolling_restart, pause, cut, mute, slow, loss, clock, full_disk, slow_disk, replace,",
            "  disable, without_plugin, upgrade",
            "",
            "Examples:",
            "  ./meteor torture --minutes 5 --json t.json",
            "  ./meteor torture --minutes 1 --faults kill,cut --seed 7",
            "  ./meteor torture transactions --minutes 5      the same to transactions",
            "  ./meteor torture size --minutes 10             loads and outages larger than any memory",
            "",
            "The same seed gives the same faults in the same order; what the nodes make of them depends on their threads.",
            "",
            "Exit codes: 0 nothing was lost and nothing was inconsistent; 1 something was, it is shown; 2 it could not run.",
        })
public final class TortureCommand implements Callable<Integer> {
    private static final int RIGHT = 0;
    private static final int WRONG = 1;
    private static final int COULD_NOT_RUN = 2;

    @Option(names = "--minutes", paramLabel = "M", description = "how long faults strike (default: 5)")
    private double minutes = 5;

    @Option(names = "--seed", paramLabel = "N", description = "decides the faults (default: drawn, and printed)")
    private @Nullable Long seed;

    @Option(names = "--faults", split = ",", paramLabel = "FAULT", description = "which faults (default: all)")
    private List<String> faults = List.of();

    @Option(names = "--sessions", paramLabel = "N", description = "sessions at work (default: 12)")
    private int sessions = 12;

    @Option(names = "--rows", paramLabel = "N", description = "rows, drawn uniformly; few make conflicts (default: 32)")
    private int rows = 32;

    @Option(names = "--read-share", paramLabel = "0..1", description = "share of reads (default: 0.5)")
    private double readShare = 0.5;

    @Option(names = "--rate", paramLabel = "N", description = "operations a second at most, in all (default: 400)")
    private double rate = 400;

    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "one-way delay between data centres (default: 10)")
    private String delay = "10";

    @Option(names = "--dcs", split = ",", paramLabel = "NAME", description = "data centres (default: eu,us,asia)")
    private List<String> dcs = List.of("eu", "us", "asia");

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures to a file")
    private @Nullable Path json;

    @Option(names = "--timeline", paramLabel = "FILE", description = "where the picture goes (default: torture.svg)")
    private Path timeline = Path.of("torture.svg");

    @Option(names = "--history", paramLabel = "FILE", description = "write what the sessions saw, for ./meteor check")
    private @Nullable Path history;

    @Option(
            names = "--first-address",
            paramLabel = "ADDRESS",
            description = "loopback address of the first node; the others follow it (default: 127.0.0.1)")
    private String firstAddress = "127.0.0.1";

    private final PrintWriter out;
    private final PrintWriter err;

    public TortureCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** With its subcommand for transactions. */
    public static CommandLine line(PrintWriter out, PrintWriter err) {
        return new CommandLine(new TortureCommand(out, err)).addSubcommand(new TransactionTortureCommand(out, err));
    }

    @Override
    public Integer call() throws InterruptedException {
        TortureOptions options = options();
        try (Display display = Display.of(out)) {
            return run(options, display);
        }
    }

    private int run(TortureOptions options, Display display) throws InterruptedException {
        String replay = String.format(
                        Locale.ROOT,
                        "./meteor torture --seed %d --minutes %s --dcs %s --delay %s --sessions %d --rows %d"
                                + " --read-share %s --rate %s",
                        options.seed(),
                        minutes,
                        String.join(",", dcs),
                        delay,
                        sessions,
                        rows,
                        readShare,
                        rate)
                + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults))
                + (firstAddress.equals("127.0.0.1") ? "" : " --first-address " + firstAddress);
        try {
            display.say("the faults are those of seed " + options.seed());
            TortureResult result = new Torture(Installation.locate(), options, display).run();
            TortureReport.lines(result).forEach(display::say);
            if (json != null) {
                TortureReport.write(result, json);
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

    private TortureOptions options() {
        ClusterOptions cluster = ClusterOptions.builder()
                .dcs(dcs)
                .delaysMillis(DelayList.parse(delay))
                .firstAddress(firstAddress)
                // Shorter than usual, so that what must time out does so soon.
                .cassandraOptions(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                .build();
        return new TortureOptions(
                cluster,
                Duration.ofMillis((long) (minutes * 60_000)),
                seed == null ? System.nanoTime() % 1_000_000 : seed,
                faults.isEmpty()
                        ? FaultKind.ofReads()
                        : faults.stream()
                                .map(word -> FaultKind.named(word, FaultKind.ofReads()))
                                .toList(),
                sessions,
                rows,
                readShare,
                rate,
                OutputFile.of("--json", json),
                Objects.requireNonNull(OutputFile.of("--timeline", timeline)),
                OutputFile.of("--history", history));
    }
}
