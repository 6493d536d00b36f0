/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.bench.BenchCommand;
import org.meteorshower.lab.changes.ChangesCommand;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NoClusterException;
import org.meteorshower.lab.demo.DemoCommand;
import org.meteorshower.lab.opinion.SecondOpinionCommand;
import org.meteorshower.lab.prove.ProveCommand;
import org.meteorshower.lab.simulate.SimulateCommand;
import org.meteorshower.lab.top.TopCommand;
import org.meteorshower.lab.torture.ReadTortureCommand;
import org.meteorshower.lab.torture.size.SizeCommand;
import org.meteorshower.lab.ycsb.YcsbCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The tool's entry point. */
@Command(
        name = "meteor",
        mixinStandardHelpOptions = true,
        version = "MeteorShower 0.1.0-SNAPSHOT",
        description = "Strong consistency for geo-distributed Cassandra without the wide-area wait.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  ./meteor demo",
            "  ./meteor cluster start --dcs eu,us,asia --delay 50,75,120",
            "  ./meteor cluster status",
            "  ./meteor cluster stop",
            "  ./meteor top",
            "  ./meteor changes --follow",
            "  ./meteor check history.jsonl",
            "  ./meteor simulate --seeds 1..500",
            "  ./meteor prove --quick",
            "  ./meteor second-opinion --seeds 1..20",
            "  ./meteor torture --minutes 5",
            "  ./meteor torture transactions --minutes 5",
            "  ./meteor ycsb run a --cluster --delay 50",
            "  ./meteor bench quick --report out",
            "  ./meteor image",
            "",
            "Each command explains itself with --help."
        })
public final class Meteor implements Runnable {
    private final CommandLine line;

    private Meteor(PrintWriter out, PrintWriter err) {
        line = new CommandLine(this)
                .addSubcommand(DemoCommand.line(out, err))
                .addSubcommand(ClusterCommand.line(out))
                .addSubcommand(new TopCommand(out))
                .addSubcommand(new ChangesCommand(out, err))
                .addSubcommand(new SimulateCommand(out, err))
                .addSubcommand(ProveCommand.line(out))
                .addSubcommand(new SecondOpinionCommand(out, err))
                .addSubcommand(new CheckCommand(out, err))
                .addSubcommand(ReadTortureCommand.line(out, err).addSubcommand(new SizeCommand(out, err)))
                .addSubcommand(new YcsbCommand(out, err))
                .addSubcommand(new BenchCommand(out, err));
        // After the subcommands are added: these reach only those that are there.
        line.setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, err));
    }

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Runs one command and gives its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return new Meteor(out, err).line.execute(args);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(line, "say which command");
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof NoClusterException) {
            err.println(failure.getMessage());
            return ExitCodes.NO_CLUSTER;
        }
        if (failure instanceof ClusterException || failure instanceof UncheckedIOException) {
            err.println("error: " + failure.getMessage());
            return ExitCodes.FAILED;
        }
        if (failure instanceof IllegalArgumentException) {
            err.println("error: " + failure.getMessage());
            return ExitCodes.USAGE;
        }
        err.println("internal error, please report it with what follows:");
        failure.printStackTrace(err);
        return ExitCodes.FAILED;
    }
}
