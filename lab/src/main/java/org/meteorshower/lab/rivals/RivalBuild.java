/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.rivals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LogTail;
import org.meteorshower.lab.cluster.Progress;

/**
 * Fetches and builds a rival with Maven where that was not done yet, and says where its jars are. Nothing of it gets
 * into a class path of ours. For one thread.
 *
 * @param folder its own, with a pom.xml, under {@code lab/rivals}
 * @param product the file that says the build was done, a class path
 * @param what in words, for messages
 */
record RivalBuild(Path folder, String product, String what) {
    private static final long LIMIT_MINUTES = 20;
    private static final long GLANCE_SECONDS = 5;
    private static final int LINES_SHOWN = 12;

    static RivalBuild of(Installation installation, String name, String product, String what) {
        return new RivalBuild(installation.home().resolve("lab/rivals").resolve(name), product, what);
    }

    /**
     * The jars, in class path order.
     *
     * @throws ClusterException where they cannot be fetched or built; the message says why
     */
    List<Path> jars(Progress progress) {
        Path file = folder.resolve("target").resolve(product);
        if (!isBuilt(file)) {
            build(progress);
        }
        try {
            return Arrays.stream(Files.readString(file).strip().split(File.pathSeparator))
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw new ClusterException("the build of " + what + " left no " + file, e);
        }
    }

    /** Built after the last change of its sources, and nothing gone since. */
    private boolean isBuilt(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (Stream<Path> sources = Files.walk(folder)) {
            long built = Files.getLastModifiedTime(file).toMillis();
            List<Path> all = sources.filter(Files::isRegularFile)
                    .filter(path -> !path.startsWith(folder.resolve("target")))
                    .toList();
            for (Path source : all) {
                if (Files.getLastModifiedTime(source).toMillis() > built) {
                    return false;
                }
            }
            return Arrays.stream(Files.readString(file).strip().split(File.pathSeparator))
                    .allMatch(jar -> Files.isRegularFile(Path.of(jar)));
        } catch (IOException e) {
            return false;
        }
    }

    private void build(Progress progress) {
        progress.say("fetching " + what + " (only this once; a minute or more)");
        try {
            Path target = Files.createDirectories(folder.resolve("target"));
            Path log = target.resolve("build.log");
            Process maven = new ProcessBuilder("mvn", "-B", "-DskipTests", "package")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Thread killer = new Thread(maven::destroy, "end-rival-build");
            Runtime.getRuntime().addShutdownHook(killer);
            try {
                await(maven, log, progress);
            } finally {
                maven.destroy();
                forget(killer);
            }
        } catch (IOException e) {
            throw new ClusterException(
                    "Maven is needed to fetch " + what + ", and could not be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while " + what + " was fetched", e);
        }
    }

    private void await(Process maven, Path log, Progress progress) throws InterruptedException {
        long start = System.nanoTime();
        while (!maven.waitFor(GLANCE_SECONDS, TimeUnit.SECONDS)) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            progress.say("  " + what + ": " + seconds + " s, " + downloads(log) + " files so far");
            if (seconds > TimeUnit.MINUTES.toSeconds(LIMIT_MINUTES)) {
                throw new ClusterException(what + " was not fetched within " + LIMIT_MINUTES + " minutes; see " + log);
            }
        }
        if (maven.exitValue() != 0) {
            throw new ClusterException(what + " could not be fetched or built; all that Maven said is in " + log + "\n"
                    + String.join("\n", LogTail.of(log, LINES_SHOWN)));
        }
    }

    private static long downloads(Path log) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("Downloaded from")).count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook runs already.
        }
    }

    /** The jars and more of them. */
    static List<Path> with(List<Path> jars, List<Path> more) {
        List<Path> all = new ArrayList<>(jars);
        all.addAll(more);
        return all;
    }
}
