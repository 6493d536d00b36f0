/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.meteorshower.lab.opinion.Answer.Opinion;

/**
 * A checker that is not ours, in a process of its own: a line for each question, and a JSON object in a line for each
 * answer. Not thread-safe.
 */
final class Judge implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_ANSWER_MINUTES = 10;

    private final Process process;
    private final Path log;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    /** @param log gets what the process says beside its answers */
    Judge(List<String> command, Path log) throws IOException {
        this.log = log;
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        questions = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Blocks until there is an answer. Throws {@link IOException} where the process has ended, or had to be. */
    Answer ask(String question) throws IOException {
        CompletableFuture<Void> tooLong =
                new CompletableFuture<Void>().completeOnTimeout(null, LONGEST_ANSWER_MINUTES, TimeUnit.MINUTES);
        var unused = tooLong.thenRun(process::destroyForcibly);
        try {
            return answerTo(question);
        } finally {
            tooLong.cancel(false);
        }
    }

    private Answer answerTo(String question) throws IOException {
        questions.write(question);
        questions.newLine();
        questions.flush();
        String line = answers.readLine();
        while (line != null && !line.startsWith("{")) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("the other checker has ended, or took longer than " + LONGEST_ANSWER_MINUTES
                    + " minutes; what it said is in " + log);
        }
        JsonNode answer = JSON.readTree(line);
        String verdict = answer.path("verdict").asText();
        String why = answer.path("why").asText();
        return switch (verdict) {
            case "accepted" -> new Answer(Opinion.ACCEPTED, why);
            case "refused" -> new Answer(Opinion.REFUSED, why);
            default -> new Answer(Opinion.OPEN, verdict + ": " + why);
        };
    }

    @Override
    public void close() {
        process.destroy();
    }
}
