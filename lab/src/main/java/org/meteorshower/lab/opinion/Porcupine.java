/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.meteorshower.checker.Model;
import org.meteorshower.lab.console.Json;

/** Porcupine, which checks linearizability. A small program of ours in Go asks it; Go builds that on first use. */
final class Porcupine implements AutoCloseable {
    private static final List<String> SOURCES =
            List.of("go.mod", "go.sum", "main.go", "history.go", "linearizable.go", "sequential.go");
    private static final ObjectMapper LINES = new ObjectMapper();
    private static final long LONGEST_BUILD_MINUTES = 5;

    private final Judge judge;

    private Porcupine(Judge judge) {
        this.judge = judge;
    }

    /**
     * Builds the program, where that was not done before, and starts it.
     *
     * @param cache its folder is made in this one
     * @throws MissingJudgeException where there is no Go, or no module Porcupine
     */
    static Porcupine start(Path cache) throws IOException, InterruptedException, MissingJudgeException {
        Path folder = Files.createDirectories(cache.resolve("porcupine"));
        boolean changed = false;
        for (String source : SOURCES) {
            changed |= copied(source, folder);
        }
        Path program = folder.resolve("secondopinion");
        if (changed || !Files.isExecutable(program)) {
            Files.deleteIfExists(program);
            build(folder, program);
        }
        return new Porcupine(new Judge(List.of(program.toString()), folder.resolve("porcupine.log")));
    }

    /** Whether the file was not there, or was another one. */
    private static boolean copied(String source, Path folder) throws IOException {
        try (InputStream in = Porcupine.class.getResourceAsStream("porcupine/" + source)) {
            String content = new String(Objects.requireNonNull(in, source).readAllBytes(), StandardCharsets.UTF_8);
            Path file = folder.resolve(source);
            if (Files.exists(file) && Files.readString(file).equals(content)) {
                return false;
            }
            Files.writeString(file, content);
            return true;
        }
    }

    private static void build(Path folder, Path program)
            throws IOException, InterruptedException, MissingJudgeException {
        Path log = folder.resolve("build.log");
        Process build = new ProcessBuilder(go().toString(), "build", "-o", program.toString(), ".")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = build.waitFor(LONGEST_BUILD_MINUTES, TimeUnit.MINUTES);
        build.destroyForcibly().waitFor();
        if (!ended || build.exitValue() != 0) {
            throw new MissingJudgeException(
                    "Porcupine: Go could not build the program that asks it; what Go said is in " + log
                            + ". Its module must be at hand: go mod download github.com/anishathalye/porcupine@v1.3.1");
        }
    }

    /** On the PATH, or where Go's own installer puts it. */
    private static Path go() throws MissingJudgeException {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/local/go/bin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "go"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new MissingJudgeException("Porcupine: Go is not on the PATH. Install Go 1.21 or newer"
                                + " (for example: apt install golang-go)"));
    }

    /**
     * What it says of a history in a file.
     *
     * @param versions whether the writes of a key come in the order of their versions
     * @param order that is tried first: operations by their numbers in the file; may be empty
     */
    Answer judge(Path file, Model model, boolean versions, List<Integer> order, Duration atMost) throws IOException {
        ObjectNode question = Json.object()
                .put("file", file.toString())
                .put("model", model.name().toLowerCase(Locale.ROOT))
                .put("versions", versions)
                .put("timeout_ms", atMost.toMillis());
        ArrayNode numbers = question.putArray("order");
        order.forEach(numbers::add);
        return judge.ask(LINES.writeValueAsString(question));
    }

    @Override
    public void close() {
        judge.close();
    }
}
