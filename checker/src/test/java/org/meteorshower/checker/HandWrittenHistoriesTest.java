/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each history of the index gets the verdicts that the index says, and the oracle agrees. */
class HandWrittenHistoriesTest {
    record Expected(String name, String sequential, String linearizable, String comment) {
        @Override
        public String toString() {
            return name + ": " + comment;
        }
    }

    static Stream<Expected> index() throws Exception {
        return Files.readAllLines(folder().resolve("INDEX")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" +", 4))
                .map(part -> new Expected(part[0], part[1], part[2], part[3]));
    }

    @ParameterizedTest
    @MethodSource("index")
    void verdictIsAsTheIndexSays(Expected expected) throws Exception {
        History history = HistoryReader.read(List.of(folder().resolve(expected.name() + ".jsonl")));

        assertThat(word(Model.SEQUENTIAL.check(history))).as("sequential").isEqualTo(expected.sequential());
        assertThat(word(Model.LINEARIZABLE.check(history))).as("linearizable").isEqualTo(expected.linearizable());
        List<Operation> ops = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            ops.add(history.get(i));
        }
        assertThat(Oracle.sequential(ops)).isEqualTo(expected.sequential().equals("consistent"));
        assertThat(Oracle.linearizable(ops)).isEqualTo(expected.linearizable().equals("consistent"));
    }

    @Test
    void everyFileStandsInTheIndex() throws Exception {
        List<String> indexed =
                index().map(expected -> expected.name() + ".jsonl").toList();
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".jsonl")))
                    .containsExactlyInAnyOrderElementsOf(indexed);
        }
    }

    private static String word(Verdict verdict) {
        return verdict.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static Path folder() throws IOException, URISyntaxException {
        return Path.of(HandWrittenHistoriesTest.class.getResource("/histories").toURI());
    }
}
