/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that is told a line and answers with lines. What takes too long ends it. Not thread-safe. */
public final class LineProcess implements AutoCloseable {
    private static final int LONGEST_ANSWER_MINUTES = 10;

    private final Process process;
    private final BufferedWriter told;
    private final BufferedReader answers;

    /** Starts it; its standard input and output are for what is told here. */
    public LineProcess(ProcessBuilder builder) throws IOException {
        process = builder.start();
        told = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    public void tell(String line) throws IOException {
        told.write(line);
        told.newLine();
        told.flush();
    }

    /** Blocks until there is a line. Throws {@link IOException} where the process has ended, or took ten minutes. */
    public String answer() throws IOException {
        CompletableFuture<Void> tooLong =
                new CompletableFuture<Void>().completeOnTimeout(null, LONGEST_ANSWER_MINUTES, TimeUnit.MINUTES);
        var unused = tooLong.thenRun(process::destroyForcibly);
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException("it has ended, or took longer than " + LONGEST_ANSWER_MINUTES + " minutes");
            }
            return line;
        } finally {
            tooLong.cancel(false);
        }
    }

    /** Ends its input, then the process, if it does not end by itself. Blocks for some seconds at most. */
    @Override
    public void close() {
        try {
            told.close();
        } catch (IOException e) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
