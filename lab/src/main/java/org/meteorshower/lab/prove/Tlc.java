/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.meteorshower.lab.cluster.Folders;

/** Runs TLC in a process of its own: it keeps its state in static fields. */
final class Tlc {
    private static final Pattern STATES = Pattern.compile("([0-9,]+) distinct states found");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final Pattern VIOLATED = Pattern.compile("Invariant \\w+ is violated");
    private static final String HOLDS = "No error has been found";

    /** Of the states, all. */
    private static final List<String> ALL = List.of("-workers", "auto");

    /** The same, in the order of their depths. */
    private static final List<String> BY_DEPTH = List.of("-workers", "1");

    private Tlc() {}

    /** What came of it. */
    enum Verdict {
        /** In all states. */
        HOLDS,
        /** In all states up to the depth that was asked for; there are more. */
        TO_DEPTH,
        REFUTED,
        /** It had not ended in time, or could not be run. */
        UNKNOWN
    }

    /**
     * @param states distinct ones that were found
     * @param depth of the search
     * @param output all that TLC said
     */
    record Result(Verdict verdict, long states, int depth, Duration took, String output) {
        private Result with(Verdict other) {
            return new Result(other, states, depth, took, output);
        }
    }

    /**
     * Blocks until it has ended, at most for the time given.
     *
     * @throws org.meteorshower.lab.cluster.ClusterException if its folder cannot be deleted
     */
    static Result check(Model model, Duration atMost) throws IOException, InterruptedException {
        String module = model.specification();
        Bounds bounds = model.bounds();
        Map<String, String> written = new HashMap<>(Map.of("Model.cfg", model.configuration()));
        if (bounds.areAny()) {
            written.put(Bounds.MODULE + ".tla", bounds.module(module));
        }
        List<String> how = bounds.depth() > 0 ? BY_DEPTH : ALL;
        return within(bounds, check(List.of(module), written, bounds.areAny() ? Bounds.MODULE : module, how, atMost));
    }

    /** What holds in some behaviours need not hold in all; and it may be of none, where no behaviour begins so. */
    static Result within(Bounds bounds, Result result) {
        if (result.verdict() != Verdict.HOLDS) {
            return result;
        } else if (result.depth() <= bounds.beginning().size()) {
            return result.with(Verdict.UNKNOWN);
        }
        return result.depth() == bounds.depth() ? result.with(Verdict.TO_DEPTH) : result;
    }

    /**
     * The same of modules that are here and files that are written for it.
     *
     * @param modules beside this class
     * @param written by their names, Model.cfg among them
     * @param module the one that is checked
     */
    static Result check(List<String> modules, Map<String, String> written, String module, Duration atMost)
            throws IOException, InterruptedException {
        return check(modules, written, module, ALL, atMost);
    }

    private static Result check(
            List<String> modules, Map<String, String> written, String module, List<String> how, Duration atMost)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("meteor-prove");
        try {
            for (String each : modules) {
                String file = each + ".tla";
                try (InputStream in = Tlc.class.getResourceAsStream(file)) {
                    Files.copy(Objects.requireNonNull(in, file), folder.resolve(file));
                }
            }
            for (Map.Entry<String, String> each : written.entrySet()) {
                Files.writeString(folder.resolve(each.getKey()), each.getValue());
            }
            return run(folder, Stream.concat(how.stream(), Stream.of(module + ".tla")), atMost);
        } finally {
            Folders.delete(folder);
        }
    }

    private static Result run(Path folder, Stream<String> arguments, Duration atMost)
            throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        Path output = folder.resolve("output");
        Process process = start(folder, arguments, output);
        Thread killer = new Thread(() -> end(process, folder), "end-tlc");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            return result(said, Duration.ofNanos(System.nanoTime() - startNanos));
        } finally {
            end(process, folder);
            forget(killer);
        }
    }

    private static synchronized void end(Process process, Path folder) {
        process.destroyForcibly().onExit().join();
        Folders.delete(folder);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook runs already, and finds nothing left to end.
        }
    }

    private static Process start(Path folder, Stream<String> arguments, Path output) throws IOException {
        Stream<String> command = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "tlc2.TLC",
                "-deadlock",
                "-config",
                "Model.cfg");
        return new ProcessBuilder(Stream.concat(command, arguments).toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    static Result result(String said, Duration took) {
        Verdict verdict = VIOLATED.matcher(said).find()
                ? Verdict.REFUTED
                : said.contains(HOLDS) ? Verdict.HOLDS : Verdict.UNKNOWN;
        return new Result(verdict, last(STATES, said), (int) last(DEPTH, said), took, said);
    }

    private static long last(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1).replace(",", ""));
        }
        return last;
    }
}
