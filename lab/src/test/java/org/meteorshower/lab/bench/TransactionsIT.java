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
import picocli.CommandLine;

/** Transactions on real nodes, by what every Cassandra has: nothing has to be fetched for it. */
@LongTest
final class TransactionsIT {
    private final String address = FreeAddress.next();

    @TempDir
    private Path folder;

    @Test
    void transactionsAreMeasuredByDataCentreAndChecked() throws Exception {
        Path plan = Files.writeString(folder.resolve("tiny.yaml"), """
                seconds: 4
                warm-up: 1
                systems: [lwt]
                networks: [{delay: 40}]
                workloads:
                  - {name: transfer, transactions: transfer, rows: 100, rate: 5}
                """);
        Path out = folder.resolve("out");
        PrintWriter said = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        int status = new CommandLine(new BenchCommand(said, said))
                .execute("--plan", plan.toString(), "--report", out.toString(), "--first-address", address);

        assertThat(status).isZero();
        JsonNode runs = new ObjectMapper()
                .readTree(out.resolve("results.json").toFile())
                .get("runs");
        assertThat(runs).hasSize(1);
        JsonNode run = runs.get(0);
        assertThat(run.get("check").get("outcome").asText()).isEqualTo("consistent");
        assertThat(run.get("outcomes").get("commits").asInt()).isPositive();
        for (String dc : new String[] {"eu", "us", "asia"}) {
            assertThat(run.get("outcomes").get("by_dc").get(dc).get("p50_ms").asDouble())
                    .as("two round trips at least")
                    .isGreaterThan(150);
        }
    }
}
