/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryReader;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.TransactionHistoryReader;
import org.meteorshower.lab.arguments.CommandRuns;

class SimulateCommandTest {
    @TempDir
    private Path folder;

    private final CommandRuns command = new CommandRuns(SimulateCommand::new);
    private final StringWriter out = command.out;
    private final StringWriter err = command.err;

    private int run(String... arguments) {
        return command.run(arguments);
    }

    @Test
    void seedsAreRunAndCounted() throws IOException {
        Path file = folder.resolve("s.json");

        assertThat(run("--seeds", "1..6", "--json", file.toString())).isZero();

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("seeds").asInt()).isEqualTo(6);
        assertThat(json.get("ops").asInt()).isGreaterThan(1_000);
        assertThat(json.get("violations").asInt()).isZero();
        assertThat(json.get("ops_per_second").asInt()).isPositive();
        assertThat(json.get("complete").asBoolean()).isTrue();
        assertThat(out.toString()).contains("6 of 6 seeds", "0 violations");
    }

    @Test
    void whatClientsSawIsWrittenForTheChecker() throws Exception {
        Path file = folder.resolve("h.jsonl");

        assertThat(run("--seed", "1", "--kind", "strict", "--history", file.toString()))
                .isZero();
        History history = HistoryReader.read(List.of(file));
        assertThat(history.size()).isGreaterThan(500);
        assertThat(Model.LINEARIZABLE.check(history).outcome()).isEqualTo(Outcome.CONSISTENT);

        assertThat(run("--model", "catenae", "--seed", "1", "--history", file.toString()))
                .isZero();
        List<RecordedTransaction> transactions = TransactionHistoryReader.read(List.of(file));
        assertThat(IsolationChecker.check(transactions, IsolationModel.STRICT_SERIALIZABLE)
                        .outcome())
                .isEqualTo(Outcome.CONSISTENT);

        assertThat(run("--history", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--history are about one seed");
    }

    @Test
    void theTrafficOfClustersIsToldBySizeAndKept() throws IOException {
        Path file = folder.resolve("t.json");

        assertThat(run("--traffic", "9,18", "--json", file.toString())).isZero();

        JsonNode traffic = new ObjectMapper().readTree(file.toFile()).get("traffic");
        assertThat(traffic).hasSize(8);
        assertThat(traffic.get(1).get("nodes").asInt()).isEqualTo(18);
        assertThat(traffic.get(1).get("bytes_per_s_per_node").asDouble()).isPositive();
        assertThat(out.toString()).contains("bytes/message");
        assertThat(run("--traffic", "9,10")).isEqualTo(2);
        assertThat(err.toString()).contains("--traffic: a cluster of 10 nodes; give multiples of 3");
        assertThat(run("--traffic", "many")).isEqualTo(2);
        assertThat(run("--traffic", "9", "--seed", "1")).isEqualTo(2);
    }

    @Test
    void aSeedGivesTheSameRunTwice() {
        assertThat(run("--seed", "5", "--twice")).isZero();
        assertThat(out.toString()).contains("ran twice: the same");
    }

    @Test
    void aTranscriptNamesMutationsAndPartitionsInPlainWords() {
        assertThat(run("--seed", "3", "--kind", "calm", "--trace")).isZero();
        assertThat(out.toString())
                .contains(
                        " begins to write ",
                        " stamps W1 with ",
                        " retires W1",
                        " tells n",
                        " read {",
                        "no verifier found");
        assertThat(out.toString()).doesNotContain("MutationId[", "@1000");
    }

    @Test
    void aMutantIsFoundAndToldWithTheVerifierThatFoundIt() throws IOException {
        Path file = folder.resolve("m.json");

        assertThat(run("--mutants", "--mutant", "ignore-token", "--json", file.toString()))
                .isZero();

        JsonNode found = new ObjectMapper().readTree(file.toFile()).at("/mutants/ignore-token");
        assertThat(found.get("caught").asBoolean()).isTrue();
        assertThat(found.get("seeds").asInt()).isPositive();
        assertThat(found.get("by").asText()).contains("checker");
        assertThat(run(found.get("command")
                        .asText()
                        .substring("./meteor simulate ".length())
                        .split(" ")))
                .isEqualTo(1);
        assertThat(out.toString()).contains("found by");
    }

    @Test
    void thePublishedAlgorithmIsFoundWrongWithAnExample() {
        assertThat(new PublishedTable(new PrintWriter(out, true), 4).run()).isZero();

        assertThat(out.toString().lines().filter(line -> line.startsWith("MeteorShower2")))
                .hasSize(4)
                .anyMatch(line -> line.contains("4 of 4"));
        assertThat(out.toString().lines().filter(line -> line.startsWith("MeteorShower1")))
                .hasSize(4)
                .allMatch(line -> line.contains("0 of 4"));
        assertThat(out.toString()).contains(" ms: s", "which has: ", "session order");
    }

    @ParameterizedTest
    @CsvSource({
        "--seeds 5..1, ends before it begins",
        "--seeds many, is no range of seeds",
        "--seed -1, is negative",
        "--seed x, 'x' is not a long",
        "--seed 1 --kind odd, there are random",
        "--trace, are about one seed",
        "--seed 1 --seeds 1..2, exclude each other",
        "--mutants --mutant odd, there are ignore-token",
        "--published --seed 1, takes no seeds",
        "--threads 0, is not between 1 and 1024",
        "--seeds 1..2 --json /no/such/folder/s.json, its folder must exist"
    })
    void nonsenseIsRefusedWithWhatIsRight(String arguments, String answer) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(answer);
    }

    @Test
    void everyOrderOfEventsInASmallWorldIsCounted() throws IOException {
        Path file = folder.resolve("e.json");

        assertThat(run("--exhaustive", "--scenario", "message-passing", "--timers", "0", "--json", file.toString()))
                .isZero();

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        JsonNode figures = json.get("scenarios").get("message-passing");
        assertThat(json.get("violations").asInt()).isZero();
        assertThat(figures.get("whole").asBoolean()).isTrue();
        assertThat(figures.get("states").asInt()).isGreaterThan(100);
        assertThat(figures.get("schedules").asDouble())
                .isGreaterThan(figures.get("states").asDouble());
        assertThat(out.toString()).contains("no state that was reached is wrong");
    }

    @Test
    void aMistakeInTheCoreIsFoundInASmallWorldAndItsScheduleToldAgain() {
        String[] search = {"--exhaustive", "--scenario", "message-passing", "--mutant", "coverage-of-one"};
        assertThat(run(search)).isOne();
        assertThat(out.toString()).contains("takes mutation", "replay with: ");

        String printed = out.toString();
        String schedule =
                printed.substring(printed.lastIndexOf("--schedule ") + 11).strip();
        out.getBuffer().setLength(0);
        assertThat(run(search[0], search[1], search[2], search[3], search[4], "--schedule", schedule))
                .isOne();
        assertThat(out.toString()).contains("stamps W1", "oracle: ");
    }

    @ParameterizedTest
    @CsvSource({
        "--exhaustive --scenario none, message-passing",
        "--exhaustive --depth -1, negative",
        "--exhaustive --seed 1, knows no seeds",
        "--exhaustive --schedule b00, say which",
        "--exhaustive --mutant quorum-rung, no place for"
    })
    void wrongArgumentsOfASearchAreExplained(String arguments, String expected) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(expected);
    }
}
