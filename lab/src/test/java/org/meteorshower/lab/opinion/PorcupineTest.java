/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Operation;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.opinion.Answer.Opinion;
import org.meteorshower.lab.simulate.SeenByClients;
import org.meteorshower.lab.simulate.SimulatedHistories;

/** Porcupine, asked in our words: it says what is right, and what our checker says. Aborted where Go is missing. */
@TestInstance(Lifecycle.PER_CLASS)
class PorcupineTest {
    private static final Path HAND_WRITTEN =
            Path.of("..", "checker", "src", "test", "resources", "histories").toAbsolutePath();
    private static final Duration PLENTY = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private Porcupine porcupine;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        try {
            porcupine = Porcupine.start(Installation.locate().workFolder().resolve("cache"));
        } catch (MissingJudgeException e) {
            abort("not run: " + e.getMessage());
        }
    }

    @AfterAll
    void stop() {
        if (porcupine != null) {
            porcupine.close();
        }
    }

    /** A name, and the verdicts of both models. */
    record Expected(String name, String sequential, String linearizable) {}

    static Stream<Expected> handWritten() throws IOException {
        return Files.readAllLines(HAND_WRITTEN.resolve("INDEX")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" +", 4))
                .map(part -> new Expected(part[0], part[1], part[2]));
    }

    @ParameterizedTest
    @MethodSource("handWritten")
    void itSaysOfHandWrittenHistoriesWhatWasExpected(Expected expected) throws IOException {
        Path file = HAND_WRITTEN.resolve(expected.name() + ".jsonl");

        assertThat(porcupine
                        .judge(file, Model.SEQUENTIAL, true, List.of(), PLENTY)
                        .opinion())
                .as("sequential")
                .isEqualTo(opinion(expected.sequential()));
        assertThat(porcupine
                        .judge(file, Model.LINEARIZABLE, true, List.of(), PLENTY)
                        .opinion())
                .as("linearizable")
                .isEqualTo(opinion(expected.linearizable()));
    }

    private static Opinion opinion(String word) {
        return word.equals("consistent") ? Opinion.ACCEPTED : Opinion.REFUSED;
    }

    @Test
    void itSaysOfSmallHistoriesWhatOursSays() throws IOException {
        ReadComparisons comparisons = new ReadComparisons(porcupine, folder, PLENTY);
        int refused = 0;
        for (int seed = 0; seed < 300; seed++) {
            for (Model model : Model.values()) {
                for (Comparison comparison : comparisons.compare(RandomReads.of(seed), model)) {
                    assertThat(comparison.theirs().opinion())
                            .as("seed %d, %s", seed, comparison)
                            .isEqualTo(comparison.ours().opinion());
                    refused += comparison.ours().is(Opinion.REFUSED) ? 1 : 0;
                }
            }
        }
        assertThat(refused).isBetween(200, 700);
    }

    @Test
    void itAcceptsSimulatedRunsAndRefusesMistakenOnes() throws IOException {
        ReadComparisons comparisons = new ReadComparisons(porcupine, folder, PLENTY);
        for (String kind : List.of("strict", "leases", "random")) {
            SeenByClients.Reads right = seen(SimulatedHistories.reads(kind), 1);
            assertThat(comparisons.compare(right.history(), right.model()))
                    .as(kind)
                    .allMatch(comparison -> comparison.theirs().is(Opinion.ACCEPTED));
        }
        SimulatedHistories mistaken = SimulatedHistories.mistakenReads().stream()
                .filter(each -> each.name().equals("settle-with-new-timestamp"))
                .findFirst()
                .orElseThrow();
        assertThat(firstRefused(comparisons, mistaken))
                .isNotEmpty()
                .allMatch(comparison -> comparison.theirs().is(Opinion.REFUSED));
    }

    /** Which run ours refuses first changes with what nodes send. */
    private static List<Comparison> firstRefused(ReadComparisons comparisons, SimulatedHistories mistaken)
            throws IOException {
        for (long seed = 0; seed < 30; seed++) {
            SeenByClients.Reads reads = seen(mistaken, seed);
            List<Comparison> compared = comparisons.compare(reads.history(), reads.model());
            if (compared.stream().allMatch(comparison -> comparison.ours().is(Opinion.REFUSED))) {
                return compared;
            }
        }
        return List.of();
    }

    private static SeenByClients.Reads seen(SimulatedHistories runs, long seed) {
        return (SeenByClients.Reads) runs.seeds().run(seed);
    }

    /** Where the order that the search begins with is wrong, it finds another one, and where there is none, none. */
    @Test
    void theOrderIsNoMoreThanAHint() throws IOException {
        Path file = folder.resolve("h.jsonl");
        write(file, Operation.write("a", "k", "1", 0, 1, 5), Operation.read("b", "k", "1", 0, 1));
        assertThat(porcupine
                        .judge(file, Model.SEQUENTIAL, true, List.of(1, 0), PLENTY)
                        .opinion())
                .isEqualTo(Opinion.ACCEPTED);
        write(file, Operation.write("a", "k", "1", 0, 1, 5), Operation.read("a", "k", null, 1, 2));
        assertThat(porcupine
                        .judge(file, Model.SEQUENTIAL, true, List.of(1, 0), PLENTY)
                        .opinion())
                .isEqualTo(Opinion.REFUSED);
    }

    @Test
    void whatItCannotReadIsOpen() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        Files.writeString(file, "no history\n");

        Answer answer = porcupine.judge(file, Model.LINEARIZABLE, true, List.of(), PLENTY);

        assertThat(answer.opinion()).isEqualTo(Opinion.OPEN);
        assertThat(answer.why()).contains("operation 0");
    }

    private static void write(Path file, Operation... operations) throws IOException {
        History history =
                History.builder().add(operations[0]).add(operations[1]).build();
        try (HistoryWriter writer = HistoryWriter.create(file)) {
            writer.appendAll(history);
        }
    }
}
