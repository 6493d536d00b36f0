/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process, named so that its number being given to another one is noticed: by the number and the time the process
 * started. Every operation does nothing to a process that is gone.
 *
 * @param pid the process number
 * @param started when it started: clock ticks since the machine booted, and which boot that was
 */
public record NodeProcess(long pid, String started) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Names a process that runs now. */
    static NodeProcess of(long pid) {
        String started = startOf(pid);
        return new NodeProcess(pid, started == null ? "gone" : started);
    }

    public boolean isAlive() {
        return started.equals(startOf(pid)) && !isDeadAltogether();
    }

    /** The first thread of a killed process may be dead while others still hold its ports. */
    private boolean isDeadAltogether() {
        if (!"Z".equals(stat(pid, 0))) {
            return false;
        }
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.count() <= 1;
        } catch (IOException | UncheckedIOException e) {
            return true; // gone meanwhile
        }
    }

    /** Stopped by SIGSTOP. */
    public boolean isPaused() {
        return isAlive() && "T".equals(stat(pid, 0));
    }

    /** Memory in RAM, in bytes; 0 for a process that is gone. */
    public long residentBytes() {
        if (!isAlive()) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0; // gone meanwhile
        }
    }

    /** Sends a signal by its name without SIG. Throws {@link ClusterException} where the system refuses. */
    public void signal(String name) {
        run("kill", "-" + name, Long.toString(pid));
    }

    /**
     * Lets none of the process's files grow any more, by the soft limit: only few may raise a hard one again. Throws
     * {@link ClusterException} where the system cannot do that.
     */
    void limitFileSizes() {
        run("prlimit", "--pid", Long.toString(pid), "--fsize=0:");
    }

    /** Undoes it. */
    void unlimitFileSizes() {
        run("prlimit", "--pid", Long.toString(pid), "--fsize=unlimited:");
    }

    private void run(String... command) {
        if (!isAlive()) {
            return;
        }
        try {
            Process tool = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!tool.waitFor(5, TimeUnit.SECONDS) || (tool.exitValue() != 0 && isAlive())) {
                throw new ClusterException("the system refused " + String.join(" ", command)
                        + "; does the process belong to another user?");
            }
        } catch (IOException e) {
            throw new ClusterException("cannot run " + command[0] + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while running " + command[0], e);
        }
    }

    private static @Nullable String startOf(long pid) {
        String ticks = stat(pid, 19);
        return ticks == null ? null : ticks + "@" + bootId();
    }

    /** A field of /proc/PID/stat, counted from the state, which is 0. Null where there is no such process. */
    private static @Nullable String stat(long pid, int field) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The command before the state is in parentheses and may itself hold spaces and parentheses.
            return line.substring(line.lastIndexOf(')') + 2).split(" ")[field];
        } catch (IOException e) {
            return null;
        }
    }

    private static String bootId() {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
