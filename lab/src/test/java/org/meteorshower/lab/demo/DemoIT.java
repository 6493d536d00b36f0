/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.checker.HistoryReader;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Outcome;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import picocli.CommandLine;

/** A short demo on real nodes, from nothing to a verdict and back to nothing. */
final class DemoIT {
    private final String address = FreeAddress.next();

    @TempDir
    private Path folder;

    @BeforeEach
    void needsThePlugin() {
        try {
            Installation.locate().pluginJar();
        } catch (ClusterException e) {
            Assumptions.abort("no demo without the plugin: " + e.getMessage());
        }
    }

    @Test
    void everyModeServesItsClientsWithoutAViolationAndNothingIsLeft() throws Exception {
        Path json = folder.resolve("out.json");
        Path history = folder.resolve("history.jsonl");
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        String line = "--delay 20 --seconds 2 --threads 12 --rows 100 --first-address " + address + " --json " + json
                + " --history " + history;
        int status = new CommandLine(new DemoCommand(out, out)).execute(line.split(" "));

        assertThat(status).isZero();
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.get("violations").asInt()).isZero();
        assertThat(result.get("ops").asInt()).isGreaterThan(500);
        assertThat(result.get("failures").asInt()).isZero();
        for (Mode mode : Mode.values()) {
            JsonNode figures = result.get("modes").get(mode.word());
            assertThat(figures.get("read").get("count").asInt()).as(mode.word()).isPositive();
            assertThat(figures.get("write").get("count").asInt())
                    .as(mode.word())
                    .isPositive();
        }
        assertThat(p50(result, "sequential")).isLessThan(p50(result, "cassandra_quorum"));
        assertThat(Model.SEQUENTIAL.check(HistoryReader.read(List.of(history))).outcome())
                .isEqualTo(Outcome.CONSISTENT);
        assertThat(Installation.locate().workFolder().resolve("demo-" + address))
                .doesNotExist();
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("demo-" + address)))
                .isEmpty();
    }

    private static double p50(JsonNode result, String mode) {
        return result.get("modes").get(mode).get("read").get("p50_ms").asDouble();
    }
}
