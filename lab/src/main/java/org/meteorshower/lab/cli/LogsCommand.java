/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LogTail;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meteor cluster logs}. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Show the end of what a node logged.",
        footer = {"", "Examples:", "  ./meteor cluster logs eu-1", "  ./meteor cluster logs eu-1 -f", ExitCodes.TEXT})
final class LogsCommand implements Callable<Integer> {
    private static final int PAUSE_MILLIS = 200;

    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Parameters(paramLabel = "NODE", description = "name of the node, such as eu-1")
    private String node = "";

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            description = "lines to show (default: 100)")
    private int lines = 100;

    @Option(
            names = {"-f", "--follow"},
            description = "go on with what comes, until Ctrl-C")
    private boolean follow;

    private final PrintWriter out;

    LogsCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path log = place.attach().systemLog(node);
        long end = size(log);
        LogTail.of(log, lines).forEach(out::println);
        while (follow) {
            Thread.sleep(PAUSE_MILLIS);
            long size = size(log);
            end = size < end ? 0 : end; // the log was rolled
            end = copy(log, end, size);
        }
        return ExitCodes.OK;
    }

    private long copy(Path log, long from, long to) {
        if (to <= from) {
            return from;
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(from);
            byte[] bytes = new byte[(int) Math.min(to - from, 1 << 20)];
            file.readFully(bytes);
            out.print(new String(bytes, StandardCharsets.UTF_8));
            out.flush();
            return from + bytes.length;
        } catch (IOException e) {
            throw new ClusterException("the log is gone: " + log + "; was the cluster stopped?", e);
        }
    }

    private static long size(Path log) {
        try {
            return Files.size(log);
        } catch (IOException e) {
            throw new ClusterException("no log at " + log + ": the node has not logged anything yet", e);
        }
    }
}
