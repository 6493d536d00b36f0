/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.bench.plan.TransactionMix;
import org.meteorshower.lab.bench.run.Latencies;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TransactionFigures;

final class TransactionDemoJsonTest {
    private final TransactionDemoOptions options = new TransactionDemoOptions(
            TransactionEngine.CATENAE,
            List.of("eu", "us", "asia"),
            1,
            List.of(50.0),
            20,
            4,
            1_000,
            false,
            "asia",
            null,
            null,
            1,
            "127.0.0.1");

    private RunResult run(TransactionMix mix, long commits, RunResult.@Nullable Check check) {
        Histogram eu = new Histogram(3);
        eu.recordValueWithCount(104_000, commits);
        return new RunResult(
                new PlannedRun(
                        1,
                        1,
                        options.network(),
                        options.workload(mix),
                        SystemSpec.transactional(TransactionEngine.CATENAE)),
                20,
                List.of(),
                new Histogram(3),
                new Histogram(3),
                new Histogram(3),
                Map.of(),
                Map.of(),
                0,
                false,
                check,
                null,
                new TransactionFigures(commits, 1, 2, 0, Map.of(), Map.of("eu", 210.0), List.of()),
                Map.of("eu", new Latencies(new Histogram(3), eu)));
    }

    @Test
    void theFileHasWhatTheDocumentationSays() {
        RunResult.Check violation = new RunResult.Check("strict-serializable", "violation", "G0", 3, 0.1);
        JsonNode json = TransactionDemoJson.of(new TransactionDemoResult(
                options,
                run(TransactionMix.TRANSFER, 1_000, null),
                run(TransactionMix.HOT_ROW, 500, violation),
                new TransactionDemoResult.Outage(
                        "asia", run(TransactionMix.TRANSFER, 100, null), Map.of("eu", 1_200.0, "us", 300.0))));

        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("commits", "aborts", "unknown", "violations", "workloads");
        assertThat(json.get("commits").asLong()).isEqualTo(1_600);
        assertThat(json.get("aborts").asLong()).isEqualTo(3);
        assertThat(json.get("unknown").asLong()).isEqualTo(6);
        assertThat(json.get("violations").asLong()).isEqualTo(1);
        JsonNode workloads = json.get("workloads");
        for (String name : List.of("transfer", "hot_row")) {
            assertThat(workloads.get(name).get("p50_ms").asDouble()).isBetween(103.5, 104.5);
            assertThat(workloads.get(name).get("p99_ms").asDouble()).isBetween(103.5, 104.5);
        }
        assertThat(workloads.get("transfer").get("throughput").asDouble()).isEqualTo(50);
        assertThat(workloads
                        .get("hot_row")
                        .get("by_dc")
                        .get("eu")
                        .get("throughput")
                        .asDouble())
                .isEqualTo(25);
        assertThat(workloads
                        .get("transfer_with_a_death")
                        .get("longest_stall_ms")
                        .asDouble())
                .isEqualTo(1_200);
    }
}
