/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.JsonArguments;
import org.meteorshower.lab.arguments.PluginArguments;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor torture size}. */
@Command(
        name = "size",
        mixinStandardHelpOptions = true,
        description = {
            "Loads and outages larger than any memory, on real nodes with small heaps. Each phase has nodes of its own:",
            "load, a fault, its end, and a wait until all is as before without an operator. Nodes that end by themselves are",
            "restarted, as a supervisor does, and counted. In the end every acknowledged row is looked for in every",
            "data centre, and the checker judges what the hot mix of transactions saw."
        },
        footer = {
            "",
            "Phases:",
            "  bulk           a bulk load through transactions beyond the heap, beside a hot mix",
            "  bulk-death     the same; a data centre is killed at a quarter of the load, and back at three quarters",
            "  restore        a bulk load; then a data centre is killed and restarted, then once more without its disk",
            "  outage         sequential writes at full rate, one data centre down for most of the time",
            "  slow-reader    connections that read nothing of the large answers they ask for",
            "  waiting-reads  ten thousand reads under way of rows that are being written, over slow links",
            "  disk           both loads; a node's disk is full, then another's is 50 ms slow",
            "",
            "Examples:",
            "  ./meteor torture size --minutes 10 --json t.json",
            "  ./meteor torture size --minutes 2 --phases bulk --megabytes 400",
            "",
            "Exit codes: 0 nothing was lost, wrong, dead or beyond its budget, and all was as before in time; 1 something",
            "was not so, it is shown; 2 it could not run.",
        })
public final class SizeCommand implements Callable<Integer> {
    private static final double MEGABYTES_A_MINUTE = 200;

    @Option(names = "--minutes", paramLabel = "M", description = "how long all loads take together (default: 10)")
    private double minutes = 10;

    @Option(names = "--phases", split = ",", paramLabel = "PHASE", description = "which phases (default: all)")
    private List<String> phases = List.of();

    @Option(
            names = "--heap",
            paramLabel = "MB",
            description = "heap of each node, where no transactions run (default: 256)")
    private int heap = 256;

    @Option(
            names = "--transactions-heap",
            paramLabel = "MB",
            description = "heap of each node, where transactions run (default: 512)")
    private int transactionsHeap = 512;

    @Option(
            names = "--megabytes",
            paramLabel = "MB",
            description =
                    "amount of a bulk load; it ends earlier when its time is over (default: 200 for each minute of it)")
    private @Nullable Double megabytes;

    @Option(names = "--in-flight", paramLabel = "N", description = "bulk transactions under way (default: 16)")
    private int inFlight = 16;

    @Option(names = "--rows", paramLabel = "N", description = "rows of a bulk transaction (default: 20)")
    private int rows = 20;

    @Option(names = "--bytes", paramLabel = "N", description = "bytes of a bulk row (default: 1000)")
    private int bytes = 1_000;

    @Option(
            names = "--bulk-rate",
            paramLabel = "N",
            description = "rows a second of the bulk load at most (default: as many as go)")
    private int bulkRate;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "requests a second of the sequential load at most (default: as many as go)")
    private int rate;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            description = "how long a phase may take until all is as before (default: 300)")
    private int settleSeconds = 300;

    @Mixin
    private ClusterArguments cluster = new ClusterArguments();

    @Option(names = "--delay", paramLabel = "MS[,MS…]", description = "one-way delay between them (default: 5)")
    private String delay = "5";

    @Mixin
    private PluginArguments plugin = new PluginArguments();

    @Mixin
    private JsonArguments json = new JsonArguments();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "gets the picture, and logs of nodes that died (default: torture-size)")
    private Path report = Path.of("torture-size");

    private final PrintWriter out;
    private final PrintWriter err;

    public SizeCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        SizeOptions options = options();
        try (Display display = Display.of(out)) {
            return run(options, display);
        }
    }

    private int run(SizeOptions options, Display display) throws InterruptedException {
        try {
            SizeResult result = new SizeTorture(Installation.locate(), options, display).run();
            SizeReport.verdict(result).forEach(display::say);
            return result.isRight() ? ExitCodes.RIGHT : ExitCodes.WRONG;
        } catch (ClusterException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage());
            return ExitCodes.COULD_NOT_RUN;
        }
    }

    private SizeOptions options() {
        List<PhaseKind> kinds = phases.isEmpty()
                ? List.of(PhaseKind.values())
                : phases.stream().map(PhaseKind::named).toList();
        Duration length = Duration.ofMillis((long) (minutes * 60_000));
        return new SizeOptions(
                cluster.options()
                        .delaysMillis(DelayList.parse(delay))
                        .pluginOptions(plugin.options())
                        .cassandraOptions(DiskPhase.STAYS_UP)
                        // The whole compiler: loads take minutes.
                        .jvmOptions(List.of("-XX:TieredStopAtLevel=4"))
                        .build(),
                new Heaps(heap, transactionsHeap),
                length,
                kinds,
                bulk(PhaseKind.BULK.part(length, kinds)),
                rate,
                Duration.ofSeconds(settleSeconds),
                json.file(),
                report.toAbsolutePath().normalize());
    }

    private BulkOptions bulk(Duration length) {
        return new BulkOptions(
                megabytes == null ? MEGABYTES_A_MINUTE * length.toSeconds() / 60 : megabytes,
                inFlight,
                rows,
                bytes,
                bulkRate);
    }
}
