/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.Installation;
import picocli.CommandLine;

/** A tiny plan on real nodes, from nothing to a report and back to nothing. */
@LongTest
final class BenchIT {
    private final String address = FreeAddress.next();

    @TempDir
    private Path folder;

    @Test
    void aPlanIsMeasuredCheckedAndReportedAndNothingIsLeft() throws Exception {
        Path plan = Files.writeString(folder.resolve("tiny.yaml"), """
                seconds: 2
                warm-up: 1
                systems: [cassandra-quorum, meteorshower]
                networks: [{delay: 40}]
                workloads:
                  - {name: open, rows: 50, rate: 40}
                  - {name: closed, rows: 50, rate: closed, sessions: 2, distribution: zipfian, systems: [meteorshower]}
                """);
        Path out = folder.resolve("out");
        PrintWriter said = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        int status = new CommandLine(new BenchCommand(said, said))
                .execute("--plan", plan.toString(), "--report", out.toString(), "--first-address", address);

        assertThat(status).isZero();
        JsonNode results =
                new ObjectMapper().readTree(out.resolve("results.json").toFile());
        assertThat(results.get("runs")).hasSize(6);
        for (JsonNode run : results.get("runs")) {
            assertThat(run.get("count").asInt()).as(run.toString()).isPositive();
            assertThat(run.get("failures").asInt()).as(run.toString()).isZero();
            boolean quorum = run.get("system").asText().equals("cassandra");
            boolean write = run.get("op").asText().equals("write");
            if (quorum || write) {
                assertThat(run.get("p50_ms").asDouble()).as("a round trip").isGreaterThan(75);
            } else {
                assertThat(run.get("local_share").asDouble()).as("local reads").isGreaterThan(0.5);
            }
            if (!quorum) {
                assertThat(run.get("check").get("outcome").asText()).isEqualTo("consistent");
            }
        }
        assertThat(out.resolve("index.html")).exists();
        assertThat(Installation.locate().workFolder().resolve("bench-" + address))
                .doesNotExist();
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("bench-" + address)))
                .isEmpty();
    }
}
