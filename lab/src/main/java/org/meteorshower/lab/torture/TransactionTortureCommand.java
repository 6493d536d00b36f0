/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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
public final class TransactionTortureCommand extends TortureCommand {
    @Option(names = "--clients", paramLabel = "N", description = "clients at work (default: 12)")
    private int clients = 12;

    @Option(names = "--rows", paramLabel = "N", description = "accounts; one is written by all (default: 16)")
    private int rows = 16;

    @Option(names = "--rate", paramLabel = "N", description = "transactions a second at most, in all (default: 150)")
    private double rate = 150;

    @Option(names = "--nodes", paramLabel = "N", description = "in each data centre (default: 1)")
    private int nodes = 1;

    @Option(names = "--history", paramLabel = "FILE", description = "write what the clients saw, for ./meteor check")
    private @Nullable Path history;

    TransactionTortureCommand(PrintWriter out, PrintWriter err) {
        super(out, err);
    }

    @Override
    Prepared prepare(TortureOptions shared) {
        TransactionTortureOptions options =
                new TransactionTortureOptions(shared, new TortureLoad(shared.seed(), clients, rows, rate));
        return (installation, display) ->
                TransactionTortureReport.of(new TransactionTorture(installation, options, display).run());
    }

    @Override
    List<FaultKind> possibleFaults(List<String> dcs) {
        return FaultKind.ofTransactions(dcs.size(), nodes);
    }

    @Override
    int nodesPerDc() {
        return nodes;
    }

    @Override
    @Nullable
    Path history() {
        return history;
    }

    @Override
    String command() {
        return String.format(
                Locale.ROOT,
                "./meteor torture transactions --nodes %d --clients %d --rows %d --rate %s",
                nodes,
                clients,
                rows,
                rate);
    }
}
