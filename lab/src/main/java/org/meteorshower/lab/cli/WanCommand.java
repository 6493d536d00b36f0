/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code meteor cluster wan}: shows the emulated network; its subcommands change it. */
@Command(
        name = "wan",
        mixinStandardHelpOptions = true,
        description = "Show or change the emulated network between the data centres. Changes hold at once.",
        footer = {
            "",
            "Examples:",
            "  ./meteor cluster wan",
            "  ./meteor cluster wan set eu us 80 --jitter 5 --loss 0.1",
            "  ./meteor cluster wan cut eu us --one-way",
            "  ./meteor cluster wan cut asia",
            "  ./meteor cluster wan heal",
            "  ./meteor cluster wan clock us-1 -60000",
            ExitCodes.TEXT
        })
final class WanCommand implements Callable<Integer> {
    @Mixin
    private ClusterPlace place = new ClusterPlace();

    private final PrintWriter out;

    private WanCommand(PrintWriter out) {
        this.out = out;
    }

    static CommandLine line(PrintWriter out) {
        return new CommandLine(new WanCommand(out))
                .addSubcommand(new WanChanges.Set(out))
                .addSubcommand(new WanChanges.Cut(out))
                .addSubcommand(new WanChanges.Heal(out))
                .addSubcommand(new WanChanges.Clock(out))
                .addSubcommand(new WanChanges.Disk(out));
    }

    /** Which cluster was said before the change's own name. */
    ClusterPlace place() {
        return place;
    }

    @Override
    public Integer call() {
        WanTable.print(place.attach(), out);
        return ExitCodes.OK;
    }
}
