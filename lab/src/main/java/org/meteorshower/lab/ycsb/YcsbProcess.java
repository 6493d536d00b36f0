/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;

/**
 * YCSB's own client in a process of its own, since it ends the one it runs in, and since the tool's JVM is tuned for a
 * short life. The process ends with this one. For one thread.
 */
final class YcsbProcess {
    private static final long END_SECONDS = 5;

    private final Consumer<String> out;
    private final Consumer<String> err;

    /** Both are called from threads of the process's streams, each from one. */
    YcsbProcess(Consumer<String> out, Consumer<String> err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs it to its end and gives its exit code.
     *
     * @param phase {@code -load} or {@code -t}
     * @throws ClusterException if it cannot be started
     */
    int run(String phase, Properties properties) {
        Process process = null;
        Path file = null;
        Thread hook = null;
        try {
            file = Files.createTempFile("meteor-ycsb-", ".properties"); // a password does not belong on a command line
            try (OutputStream stream = Files.newOutputStream(file)) {
                properties.store(stream, null);
            }
            process = new ProcessBuilder(command(phase, file)).start();
            hook = new Thread(process::destroyForcibly, "end-ycsb");
            Runtime.getRuntime().addShutdownHook(hook);
            process.getOutputStream().close();
            Thread errors = pump(process.getErrorStream(), err);
            Thread output = pump(process.getInputStream(), out);
            int code = process.waitFor();
            output.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
            errors.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
            return code;
        } catch (IOException e) {
            throw new ClusterException("YCSB's client cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while YCSB ran", e);
        } finally {
            end(process, hook, file);
        }
    }

    private static List<String> command(String phase, Path properties) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                "site.ycsb.Client",
                phase,
                "-s",
                "-P",
                properties.toString());
    }

    private static Thread pump(InputStream stream, Consumer<String> lines) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader reader =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        reader.lines().forEach(lines);
                    } catch (IOException | UncheckedIOException e) {
                        // The process has ended.
                    }
                },
                "ycsb-output");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void end(@Nullable Process process, @Nullable Thread hook, @Nullable Path file) {
        if (process != null) {
            process.destroyForcibly();
        }
        try {
            if (hook != null) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IllegalStateException | IOException e) {
            // The process is ending already, or the folder of temporary files is cleaned by others.
        }
    }
}
