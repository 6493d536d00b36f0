/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
            "Only where they are named: join, decommission, enable, rf, and outage (of a data centre, for long)",
            "",
            "With --faults, stock clients (a plain driver, QUORUM) work beside the checked sessions in each data",
            "centre. Each of their failures is attributed to the fault that was going on. Then the exit code is 0 only",
            "if, besides, none of their requests was refused, and nothing had to be done by hand to get the table",
            "served again.",
            "",
            "Examples:",
            "  ./meteor torture --minutes 5 --json t.json",
            "  ./meteor torture --minutes 1 --faults kill,cut --seed 7",
            "  ./meteor torture --faults join,decommission,replace,enable,outage,rf --minutes 10 --json t.json",
            "  ./meteor torture --strict-home --minutes 5     strict reads by leases: linearizable",
            "  ./meteor torture transactions --minutes 5      the same to transactions",
            "  ./meteor torture power --cuts 20               loss of power, on disks that forget what was not forced",
            "  ./meteor torture size --minutes 10             loads and outages larger than any memory",
            "",
            "The same seed gives the same faults in the same order; what the nodes make of them depends on their threads.",
            "",
            "Exit codes: 0 nothing was lost and nothing was inconsistent; 1 something was, it is shown; 2 it could not run.",
        })
public final class ReadTortureCommand extends TortureCommand {
    private static final String MAX_RECORDS = "3000";

    @Option(names = "--sessions", paramLabel = "N", description = "sessions at work (default: 12)")
    private int sessions = 12;

    @Option(names = "--rows", paramLabel = "N", description = "rows, drawn uniformly; few make conflicts (default: 32)")
    private int rows = 32;

    @Option(names = "--read-share", paramLabel = "0..1", description = "share of reads (default: 0.5)")
    private double readShare = 0.5;

    @Option(names = "--rate", paramLabel = "N", description = "operations a second at most, in all (default: 400)")
    private double rate = 400;

    @Option(
            names = "--strict-home",
            description =
                    "the table has strict=home, all sessions read in mode strict, and must be linearizable; not with"
                            + " disable, without_plugin, upgrade and enable, in which nobody promises that")
    private boolean strictAtHome;

    @Option(names = "--history", paramLabel = "FILE", description = "write what the sessions saw, for ./meteor check")
    private @Nullable Path history;

    private ReadTortureCommand(PrintWriter out, PrintWriter err) {
        super(out, err);
    }

    /** With its subcommands, but for that of sizes. */
    public static CommandLine line(PrintWriter out, PrintWriter err) {
        return new CommandLine(new ReadTortureCommand(out, err))
                .addSubcommand(new TransactionTortureCommand(out, err))
                .addSubcommand(new PowerTortureCommand(out, err));
    }

    @Override
    Prepared prepare(TortureOptions shared) {
        ReadTortureOptions options = new ReadTortureOptions(
                shared, new TortureLoad(shared.seed(), sessions, rows, rate), readShare, strictAtHome, namesFaults());
        return (installation, display) -> ReadTortureReport.of(new ReadTorture(installation, options, display).run());
    }

    @Override
    List<FaultKind> possibleFaults(List<String> dcs) {
        return sure(FaultKind.allOfReads());
    }

    @Override
    List<FaultKind> usualFaults(List<String> dcs) {
        return sure(FaultKind.ofReads());
    }

    private List<FaultKind> sure(List<FaultKind> kinds) {
        return strictAtHome ? ReadTortureOptions.strict(kinds) : kinds;
    }

    /** An outage is to be so long that the others give the data centre up: they can keep little. */
    @Override
    Map<String, String> pluginOptions(List<FaultKind> kinds) {
        return kinds.contains(FaultKind.DC_OUTAGE) ? Map.of("max_records", MAX_RECORDS) : Map.of();
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
                "./meteor torture --sessions %d --rows %d --read-share %s --rate %s%s",
                sessions,
                rows,
                readShare,
                rate,
                strictAtHome ? " --strict-home" : "");
    }
}
