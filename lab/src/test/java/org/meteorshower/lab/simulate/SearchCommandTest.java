/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.arguments.CommandRuns;
import org.meteorshower.lab.search.Features;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

final class SearchCommandTest {
    @TempDir
    private Path folder;

    private final CommandRuns command = new CommandRuns(SimulateCommand::new);
    private final StringWriter out = command.out;
    private final StringWriter err = command.err;

    private int run(String... arguments) {
        return command.run(arguments);
    }

    @Test
    void aMistakeIsFoundAndItsPlanReplays() throws IOException {
        int found = run(
                "--search",
                "--mutant=acknowledgement-without-applied",
                "--plans=6",
                "--threads=1",
                "--corpus=" + folder);

        assertThat(found).as(out + "\n" + err).isEqualTo(1);
        String file = onlyFile("found-*.json").toString();
        assertThat(out.toString()).contains("replay with: ./meteor simulate --plan " + file);
        assertThat(run("--plan=" + file, "--mutant=acknowledgement-without-applied"))
                .isEqualTo(1);
        assertThat(run("--plan=" + file)).as(out.toString()).isZero();
    }

    /**
     * A data centre loses its disk while one of the others is down, takes the only other one's snapshot, and dies. The
     * next process, blank still, took an older snapshot into the same edition of the rows.
     */
    @Test
    void whatASearchHasFoundIsRightNow() throws IOException {
        Path plan = folder.resolve("plan.json");
        try (InputStream in = getClass().getResourceAsStream("edition-filled-twice.json")) {
            Files.copy(Objects.requireNonNull(in), plan);
        }
        assertThat(run("--plan=" + plan)).as(out.toString()).isZero();
        assertThat(out.toString()).contains("no verifier found anything wrong", "REJOINED=1");
    }

    private Path onlyFile(String pattern) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
            files.forEach(all::add);
        }
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void aPlanMakesTheCoreDoTheSameEachTime() {
        ProbedCatenae core = new ProbedCatenae(List.of(), Set.of());
        ObjectNode plan = core.drawn("combined", 7);

        core.run(plan); // classes are made ready once
        Features first = core.run(plan).features();
        Features second = core.run(plan).features();

        assertThat(sorted(first)).isEqualTo(sorted(second)).hasSizeGreaterThan(500);
    }

    private static List<Integer> sorted(Features features) {
        return IntStream.range(0, features.count())
                .map(features::at)
                .sorted()
                .boxed()
                .toList();
    }

    @Test
    void aPlanComesBackFromItsFileAsItWas() {
        PlanJson json = new PlanJson();
        for (Kind kind : Kind.values()) {
            var plan = kind.plan(5).withStrikes();
            assertThat(json.to(json.of(plan), plan.getClass())).isEqualTo(plan);
        }
        for (var kind : org.meteorshower.transactions.simulator.Kind.values()) {
            if (!kind.isOfServers()) {
                var plan = kind.plan(5).withStrikes();
                assertThat(json.to(json.of(plan), plan.getClass())).isEqualTo(plan);
            }
        }
    }

    @Test
    void eachKindOfReadsThatIsDrawnIsSearched() {
        Set<String> searched = new TreeSet<>();
        new ProbedReads(List.of(), Bug.NONE, Set.of()).families().forEach(family -> searched.addAll(family.kinds()));

        assertThat(Arrays.stream(Kind.values()).map(Kind::word).filter(kind -> !searched.contains(kind)))
                .containsExactlyInAnyOrder("wide", "minority-down", "write-all", "traces");
    }

    @Test
    void whatIsNoPlanIsRefusedWithTheReason() throws IOException {
        assertThat(run("--search", "--plan=x.json")).isEqualTo(2);
        assertThat(run("--minutes=3")).isEqualTo(2);
        assertThat(run("--search", "--seeds=1..3")).isEqualTo(2);
        assertThat(run("--search", "--kind=wide", "--plans=1")).isEqualTo(2);
        Path file = Files.writeString(
                folder.resolve("p.json"), "{\"model\": \"reads\", \"family\": \"fixed\", \"plan\": {\"seed\": 1}}");
        assertThat(run("--plan=" + file)).isEqualTo(2);
        assertThat(err.toString()).contains("this is no plan", "cluster", "--kind: no plans of kind wide");
    }
}
