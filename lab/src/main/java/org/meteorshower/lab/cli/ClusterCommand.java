/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code meteor cluster}: nothing but its subcommands. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description = "Real Cassandra nodes in emulated data centres on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  ./meteor cluster start --dcs eu,us,asia --delay 50,75,120",
            "  cqlsh 127.0.0.1",
            "  ./meteor cluster wan cut asia",
            "  ./meteor cluster kill us-1",
            "  ./meteor cluster restart us-1",
            "  ./meteor cluster add eu",
            "  ./meteor cluster remove eu-2",
            "  ./meteor cluster stop"
        })
final class ClusterCommand implements Runnable {
    private final CommandLine line;

    private ClusterCommand(PrintWriter out) {
        line = new CommandLine(this)
                .addSubcommand(new StartCommand(out))
                .addSubcommand(new StatusCommand(out))
                .addSubcommand(new StopCommand(out))
                .addSubcommand(new LogsCommand(out))
                .addSubcommand(new NodeCommands.Kill(out))
                .addSubcommand(new NodeCommands.Pause(out))
                .addSubcommand(new NodeCommands.Resume(out))
                .addSubcommand(new NodeCommands.Restart(out))
                .addSubcommand(new RingCommands.Add(out))
                .addSubcommand(new RingCommands.Remove(out))
                .addSubcommand(new RingCommands.Replace(out))
                .addSubcommand(new RingCommands.ReplicationFactor(out))
                .addSubcommand(WanCommand.line(out));
    }

    static CommandLine line(PrintWriter out) {
        return new ClusterCommand(out).line;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(line, "say what to do with the cluster");
    }
}
