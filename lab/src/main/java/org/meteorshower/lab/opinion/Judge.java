/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.meteorshower.lab.console.LineProcess;
import org.meteorshower.lab.opinion.Answer.Opinion;

/**
 * A checker that is not ours, in a process of its own: a line for each question, and a JSON object in a line for each
 * answer. Not thread-safe.
 */
final class Judge implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LineProcess process;
    private final Path log;

    /** @param log gets what the process says beside its answers */
    Judge(List<String> command, Path log) throws IOException {
        this.log = log;
        process = new LineProcess(new ProcessBuilder(command).redirectError(log.toFile()));
    }

    /** Blocks until there is an answer. Throws {@link IOException} where the process has ended, or had to be. */
    Answer ask(String question) throws IOException {
        JsonNode answer = JSON.readTree(answerTo(question));
        String verdict = answer.path("verdict").asText();
        String why = answer.path("why").asText();
        return switch (verdict) {
            case "accepted" -> new Answer(Opinion.ACCEPTED, why);
            case "refused" -> new Answer(Opinion.REFUSED, why);
            default -> new Answer(Opinion.OPEN, verdict + ": " + why);
        };
    }

    private String answerTo(String question) throws IOException {
        try {
            process.tell(question);
            String line = process.answer();
            while (!line.startsWith("{")) {
                line = process.answer();
            }
            return line;
        } catch (IOException e) {
            throw new IOException("the other checker: " + e.getMessage() + "; what it said is in " + log, e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
