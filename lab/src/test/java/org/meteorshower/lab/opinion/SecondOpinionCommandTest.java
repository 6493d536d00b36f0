/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.checker.HistoryReader;
import org.meteorshower.lab.arguments.CommandRuns;

class SecondOpinionCommandTest {
    @TempDir
    private Path folder;

    private final CommandRuns command = new CommandRuns(SecondOpinionCommand::new);
    private final StringWriter out = command.out;
    private final StringWriter err = command.err;

    private int run(String... arguments) {
        return command.run(arguments);
    }

    /** With or without Go: the part that was not judged is named, and the exit code says that there is one. */
    @Test
    void whatIsMissingIsNamedAndTheRestIsJudged() throws Exception {
        assertThat(run(
                        "--seeds",
                        "1..1",
                        "--kind",
                        "strict",
                        "--random",
                        "3",
                        "--elle",
                        "",
                        "--keep",
                        folder.toString()))
                .as("%s%s", out, err)
                .isEqualTo(SecondOpinionCommand.NOT_ALL);

        assertThat(err.toString()).contains("not asked: Elle", "METEOR_ELLE");
        assertThat(out.toString()).contains("both: yes", "they differ on none of");
        if (!err.toString().contains("not asked: Porcupine")) {
            assertThat(out.toString()).contains("strict", "linearizable, by version", "ours and Porcupine");
            assertThat(HistoryReader.read(List.of(folder.resolve("strict-1.jsonl")))
                            .size())
                    .isGreaterThan(500);
            try (Stream<Path> kept = Files.list(folder)) {
                assertThat(kept).hasSize(4);
            }
        }
    }

    @Test
    void aRecordedHistoryIsJudged() throws Exception {
        Path file = folder.resolve("h.jsonl");
        Files.writeString(file, """
                {"session":"a","op":"write","key":"k","value":"1","start_ns":0,"end_ns":1,"status":"ok"}
                {"session":"b","op":"read","key":"k","value":null,"start_ns":2,"end_ns":3,"status":"ok"}
                """);

        int code = run("--model", "linearizable", file.toString());

        if (err.toString().contains("not asked: Porcupine")) {
            assertThat(code).isEqualTo(SecondOpinionCommand.NOT_ALL);
        } else {
            assertThat(code).as("%s%s", out, err).isZero();
            assertThat(out.toString()).contains("h.jsonl").containsPattern("ours and Porcupine +2 +0 +2 +0 +0");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --seeds 5              | no range of seeds
                    --kind nonsense        | no kind of plan is called nonsense
                    --catenae-kind none2   | no kind of plan is called none2
                    --mistake nonsense     | no mistake is called nonsense; there are
                    --seconds 0            | --seconds must be 1 to 3600
                    --random -1            | --random must not be negative
                    --model linearizable   | give both or none
                    --model linearizable x.jsonl | there is no history x.jsonl
                    --model nonsense pom.xml | no model is called nonsense
                    """)
    void whatMakesNoSenseIsRefused(String arguments, String complaint) {
        assertThat(run(arguments.split(" "))).as("%s%s", out, err).isEqualTo(2);
        assertThat(err.toString()).contains(complaint);
    }
}
