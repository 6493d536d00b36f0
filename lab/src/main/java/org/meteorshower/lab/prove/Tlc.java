/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs TLC in a process of its own: it keeps its state in static fields. */
final class Tlc {
    private static final Pattern STATES = Pattern.compile("([0-9,]+) distinct states found");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final String VIOLATED = "is violated";
    private static final String HOLDS = "No error has been found";

    private Tlc() {}

    /** What came of it. */
    enum Verdict {
        HOLDS,
        REFUTED,
        /** It had not ended in time, or could not be run. */
        UNKNOWN
    }

    /**
     * @param states distinct ones that were found
     * @param depth of the search
     * @param output all that TLC said
     */
    record Result(Verdict verdict, long states, int depth, Duration took, String output) {}

    /** Blocks until it has ended, at most for the time given. */
    static Result check(Model model, Duration atMost) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("meteor-prove");
        long startNanos = System.nanoTime();
        try {
            Path output = folder.resolve("output");
            String module = model.specification() + ".tla";
            try (InputStream in = Tlc.class.getResourceAsStream(module)) {
                if (in == null) {
                    throw new IOException("the specification " + module + " is not in the jar: build it anew");
                }
                Files.copy(in, folder.resolve(module));
            }
            Files.writeString(folder.resolve("Model.cfg"), model.configuration());
            Process process = start(folder, module, output);
            Thread end = new Thread(process::destroyForcibly);
            Runtime.getRuntime().addShutdownHook(end);
            try {
                process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                process.destroyForcibly().waitFor();
                Runtime.getRuntime().removeShutdownHook(end);
            }
            String said = Files.readString(output, StandardCharsets.UTF_8);
            return result(said, Duration.ofNanos(System.nanoTime() - startNanos));
        } finally {
            delete(folder);
        }
    }

    private static Process start(Path folder, String module, Path output) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseParallelGC",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "tlc2.TLC",
                        "-deadlock",
                        "-workers",
                        "auto",
                        "-config",
                        "Model.cfg",
                        module))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    static Result result(String said, Duration took) {
        Verdict verdict =
                said.contains(VIOLATED) ? Verdict.REFUTED : said.contains(HOLDS) ? Verdict.HOLDS : Verdict.UNKNOWN;
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

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
