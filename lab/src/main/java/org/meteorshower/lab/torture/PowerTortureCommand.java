/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.JsonArguments;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.power.PowerDisks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor torture power}. */
@Command(
        name = "power",
        mixinStandardHelpOptions = true,
        description = {
            "Real nodes on disks that forget what was not forced, whose power goes again and again under load: of all at once",
            "three times of four, of some of them else, and sometimes while they start. Then they are started again, and every",
            "acknowledged write is looked for; in the end the checkers judge what sessions and clients of transactions saw.",
            "The disks are a file system of ours, which needs root and the kernel's FUSE."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor torture power --cuts 200 --json p.json",
            "  ./meteor torture power --cuts 20 --sync group",
            "  ./meteor torture power --cuts 5 --sync periodic             what is lost then: a second, and no transactions",
            "  ./meteor torture power --cuts 5 --strict-disks              names are safe only when their folder is forced",
            "  ./meteor torture power --cuts 5 --lying commitlog,meteorshower   disks that must be seen to lose something",
            "",
            "Exit codes: 0 nothing was lost but what must be; 1 something was, it is shown; 2 it could not run.",
        })
public final class PowerTortureCommand implements Callable<Integer> {
    @Option(names = "--cuts", paramLabel = "N", description = "how often the power goes (default: 200)")
    private int cuts = 200;

    @Option(names = "--minutes", paramLabel = "M", description = "after which it does not go again (default: 600)")
    private double minutes = 600;

    @Option(names = "--load", paramLabel = "SECONDS", description = "between two of them, on average (default: 2)")
    private double load = 2;

    @Option(names = "--seed", paramLabel = "N", description = "decides whom and when (default: drawn, and printed)")
    private @Nullable Long seed;

    @Option(
            names = "--sync",
            paramLabel = "HOW",
            description = "Cassandra's commitlog_sync: batch, group or periodic (default: batch)")
    private String sync = CommitLog.BATCH.word();

    @Option(
            names = "--allow-periodic",
            description = "with --sync periodic, run transactions all the same; else they must be refused")
    private boolean allowPeriodic;

    @Option(
            names = "--strict-disks",
            description = "a file's name is safe only when its folder was forced, as POSIX has it; else as with ext4")
    private boolean strict;

    @Option(
            names = "--lying",
            split = ",",
            paramLabel = "FOLDER",
            description = "folders of each node in which forcing does nothing, such as commitlog,meteorshower")
    private List<String> lying = List.of();

    @Option(names = "--delay", paramLabel = "MS[,MS…]", description = "one-way delay between nodes (default: 1)")
    private String delay = "1";

    @Mixin
    private ClusterArguments cluster = new ClusterArguments();

    @Mixin
    private JsonArguments json = new JsonArguments();

    private final PrintWriter out;
    private final PrintWriter err;

    PowerTortureCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        PowerOptions options = options();
        Path figures = json.file();
        try (Display display = Display.of(out)) {
            return run(options, figures, display);
        }
    }

    private int run(PowerOptions options, @Nullable Path figures, Display display) throws InterruptedException {
        try {
            display.say("the power goes as seed " + options.seed() + " has it");
            PowerResult result = new PowerTorture(Installation.locate(), options, display).run();
            PowerReport.lines(result).forEach(display::say);
            if (figures != null) {
                Json.write(PowerReport.json(result), figures);
            }
            return result.isRight() ? ExitCodes.RIGHT : ExitCodes.WRONG;
        } catch (ClusterException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage());
            return ExitCodes.COULD_NOT_RUN;
        }
    }

    private PowerOptions options() {
        CommitLog how = CommitLog.named(sync);
        if (how == null) {
            throw new IllegalArgumentException("--sync must be one of " + CommitLog.words() + ", not " + sync);
        }
        Map<String, String> plugin = new LinkedHashMap<>();
        if (allowPeriodic) {
            plugin.put("transactions.allow_periodic_commitlog", "true");
        }
        return new PowerOptions(
                cluster.options()
                        .delaysMillis(DelayList.parse(delay))
                        .pluginOptions(plugin)
                        .cassandraOptions(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"))
                        .build(),
                how,
                how != CommitLog.PERIODIC || allowPeriodic,
                new PowerDisks.Kind(strict, lying),
                seed == null ? System.nanoTime() % 1_000_000 : seed,
                cuts,
                Duration.ofMillis((long) (minutes * 60_000)),
                Duration.ofMillis((long) (load * 1_000)));
    }
}
