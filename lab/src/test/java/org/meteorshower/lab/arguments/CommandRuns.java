/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.BiFunction;
import picocli.CommandLine;

/** Runs a command in a test. What it prints is kept; a failure is an exit code and a message, as for users. */
public final class CommandRuns {
    /** All that was printed since the beginning. */
    public final StringWriter out = new StringWriter();

    /** All that was printed beside that. */
    public final StringWriter err = new StringWriter();

    private final BiFunction<PrintWriter, PrintWriter, Object> command;

    /** @param command makes one, of where it prints and where it tells of progress */
    public CommandRuns(BiFunction<PrintWriter, PrintWriter, Object> command) {
        this.command = command;
    }

    /** Returns the exit code: 2 where arguments are refused, 1 where something else was thrown. */
    public int run(String... arguments) {
        return new CommandLine(command.apply(new PrintWriter(out, true), new PrintWriter(err, true)))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    err.write(String.valueOf(failure.getMessage()));
                    return failure instanceof IllegalArgumentException ? 2 : 1;
                })
                .execute(arguments);
    }
}
