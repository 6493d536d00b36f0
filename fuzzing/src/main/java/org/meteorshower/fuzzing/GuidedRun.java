/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets Jazzer choose a decoder's inputs by the code that they reach, in a process of its own. Jazzer is on the class
 * path with {@code -Pguided-fuzzing} only. It begins with samples and goes on with what earlier runs kept, in
 * {@code target/guided} of the module.
 */
final class GuidedRun {
    private static final int SAMPLES = 64;
    /** A busy machine takes minutes to instrument what Cassandra loads. */
    private static final int MAX_START_AND_END_SECONDS = 600;

    private static final Pattern RUNS = Pattern.compile("stat::number_of_executed_units:\\s*(\\d+)");

    private GuidedRun() {}

    /** @throws AssertionError with what Jazzer found, and where it left the input */
    static Fuzz.Result run(String name, Target target, long seconds) {
        Path folder = Path.of("target", "guided", name.replace(' ', '-')).toAbsolutePath();
        try {
            Path corpus = Files.createDirectories(folder.resolve("corpus"));
            Path findings = Files.createDirectories(folder.resolve("findings"));
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < SAMPLES; i++) {
                Files.write(corpus.resolve("sample-" + i), target.sample(random).bytes());
            }
            Path words = folder.resolve("words");
            Files.write(words, target.words().stream().map(GuidedRun::quoted).toList());
            Path log = folder.resolve("log");
            long startNanos = System.nanoTime();
            Process jazzer = new ProcessBuilder(command(target, seconds, corpus, findings, words))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = jazzer.waitFor(seconds + MAX_START_AND_END_SECONDS, TimeUnit.SECONDS);
            jazzer.destroyForcibly();
            // What a decoder prints need not be text.
            String said = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
            Matcher runs = RUNS.matcher(said);
            if (!ended || jazzer.exitValue() != 0 || !runs.find()) {
                throw new AssertionError(name + ": Jazzer " + (ended ? "ended with " + jazzer.exitValue() : "hangs")
                        + "; inputs are in " + findings + "\n" + said.substring(Math.max(0, said.length() - 8_000)));
            }
            Fuzz.Result result =
                    new Fuzz.Result(Long.parseLong(runs.group(1)), 0, 0, (System.nanoTime() - startNanos) / 1_000_000);
            System.out.println("fuzz by coverage: " + name + ": " + result.inputs() + " inputs, " + lastCoverage(said)
                    + ", " + result.millis() + " ms");
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static List<String> command(Target target, long seconds, Path corpus, Path findings, Path words) {
        // Surefire starts with a class path of one file that names the others.
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-Djdk.attach.allowAttachSelf=true",
                "-D" + GuidedTarget.TARGET + "=" + target.getClass().getName(),
                "-cp",
                classPath));
        // What the code under test may reach into, as in the process of the tests.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of(
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + GuidedTarget.class.getName(),
                "--instrumentation_includes="
                        + String.join(
                                File.pathSeparator, "org.meteorshower.**", "org.apache.cassandra.**", "org.yaml.**"),
                "--instrumentation_excludes=org.meteorshower.fuzzing.**",
                // It fails within Netty's start, which looks for what the Java platform has.
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.UnsafeSanitizer",
                "--reproducer_path=" + findings,
                "-artifact_prefix=" + findings + File.separator,
                "-timeout=" + Fuzz.MAX_MILLIS / 1_000,
                "-rss_limit_mb=0",
                "-max_total_time=" + seconds,
                "-print_final_stats=1"));
        if (!target.words().isEmpty()) {
            command.add("-dict=" + words);
        }
        command.add(corpus.toString());
        return command;
    }

    /** As libFuzzer's dictionaries want words. */
    private static String quoted(String word) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte each : word.getBytes(StandardCharsets.UTF_8)) {
            quoted.append(String.format("\\x%02X", each));
        }
        return quoted.append('"').toString();
    }

    private static String lastCoverage(String said) {
        Matcher coverage =
                Pattern.compile("cov: (\\d+) ft: (\\d+) corp: (\\d+)").matcher(said);
        String last = "no coverage told";
        while (coverage.find()) {
            last = coverage.group(1) + " edges covered, " + coverage.group(3) + " inputs kept";
        }
        return last;
    }
}
