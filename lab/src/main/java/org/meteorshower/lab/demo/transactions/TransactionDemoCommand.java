/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.arguments.FarArguments;
import org.meteorshower.lab.arguments.JsonArguments;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor demo transactions}. */
@Command(
        name = "transactions",
        mixinStandardHelpOptions = true,
        description = {
            "Transactions on real Cassandra nodes in emulated data centres, clients in each",
            "of them: transfers between rows, one row that all data centres write, then",
            "transfers while a data centre is killed; and the checker's verdict on everything",
            "the clients saw. With several nodes in each data centre the node that runs the",
            "transactions of one is killed."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor demo transactions                              about two minutes",
            "  ./meteor demo transactions --delay 50 --seconds 20 --json out.json",
            "  ./meteor demo transactions --nodes-per-dc 3             nine nodes, five minutes",
            "  ./meteor demo transactions --system accord              the same on Cassandra 6, fetched when first asked for",
            "",
            "Exit codes: 0 done, and no violation; 1 a violation, shown; 2 it could not run, the message says why.",
        })
public final class TransactionDemoCommand implements Callable<Integer> {
    @Mixin
    private FarArguments far = new FarArguments();

    @Mixin
    private ClusterArguments nodes = new ClusterArguments();

    @Option(names = "--nodes-per-dc", paramLabel = "N", description = "nodes in each data centre (default: 1)")
    private int nodesPerDc = 1;

    @Option(names = "--seconds", paramLabel = "S", description = "how long each workload is measured (default: 20)")
    private int seconds = 20;

    @Option(names = "--clients", paramLabel = "N", description = "in each data centre (default: 4)")
    private int clients = 4;

    @Option(names = "--rows", paramLabel = "N", description = "accounts, in steps of 10 (default: 1000)")
    private int rows = 1_000;

    @Option(names = "--zipfian", description = "draw some accounts often rather than all alike")
    private boolean zipfian;

    @Option(
            names = "--system",
            paramLabel = "NAME",
            description = "catenae, accord, lwt or scalardb (default: catenae)")
    private String system = "catenae";

    @Option(
            names = "--kill",
            paramLabel = "DC",
            description = "the data centre that is killed in the end, or loses the node that runs its transactions"
                    + " (default: the last one)")
    private @Nullable String kill;

    @Option(names = "--no-kill", description = "kill none")
    private boolean noKill;

    @Mixin
    private JsonArguments json = new JsonArguments();

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "write what the clients saw to files in this folder, for"
                    + " ./meteor check --model strict-serializable")
    private @Nullable Path history;

    @Option(names = "--seed", paramLabel = "N", description = "of what clients draw (default: 1)")
    private long seed = 1;

    private final PrintWriter out;
    private final PrintWriter err;

    public TransactionDemoCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        TransactionDemoOptions options = options();
        try (Display display = Display.of(out)) {
            return run(options, display);
        }
    }

    private int run(TransactionDemoOptions options, Display display) {
        try {
            TransactionDemoResult result = new TransactionDemo(Installation.locate(), options, display).run();
            return result.violations() > 0 ? ExitCodes.WRONG : ExitCodes.RIGHT;
        } catch (ClusterException | DriverException | UncheckedIOException e) {
            display.tell(err, "error: " + e.getMessage());
            return ExitCodes.COULD_NOT_RUN;
        }
    }

    private TransactionDemoOptions options() {
        TransactionEngine engine = TransactionEngine.named(system);
        if (engine == null || engine.isModel()) {
            throw new IllegalArgumentException("--system: there are catenae, accord, lwt and scalardb, not " + system);
        }
        return new TransactionDemoOptions(
                engine,
                nodes.dcs(),
                nodesPerDc,
                far.delaysMillis(),
                seconds,
                clients,
                rows,
                zipfian,
                noKill ? null : kill == null ? nodes.dcs().get(nodes.dcs().size() - 1) : kill,
                json.file(),
                history,
                seed,
                nodes.address().first());
    }
}
