/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.report.TransactionOutcomes;
import org.meteorshower.lab.bench.run.RunResult;

/** What came of the demo, for programs. Durations in milliseconds, null for what is unknown. */
final class TransactionDemoJson {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private TransactionDemoJson() {}

    static void write(TransactionDemoResult result, Path file) {
        try {
            MAPPER.writeValue(file.toFile(), of(result));
        } catch (IOException e) {
            throw new UncheckedIOException("--json: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static ObjectNode of(TransactionDemoResult result) {
        TransactionOutcomes all = result.outcomes();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("commits", all.commits());
        json.put("aborts", all.aborts());
        json.put("unknown", all.unknown());
        json.put("violations", result.violations());
        ObjectNode workloads = json.putObject("workloads");
        workload(workloads.putObject("transfer"), result.transfer());
        workload(workloads.putObject("hot_row"), result.hotRow());
        TransactionDemoResult.Outage outage = result.outage();
        if (outage != null) {
            ObjectNode killed = workloads.putObject("transfer_with_a_death");
            workload(killed, outage.run());
            killed.put("killed", outage.dc());
            number(killed, "longest_stall_ms", outage.stallMillis());
        }
        return json;
    }

    private static void workload(ObjectNode json, RunResult run) {
        TransactionOutcomes outcomes = TransactionOutcomes.of(List.of(run));
        latencies(json, outcomes.latencies());
        number(json, "throughput", outcomes.throughput());
        ObjectNode byDc = json.putObject("by_dc");
        outcomes.byDc().forEach((dc, micros) -> {
            ObjectNode here = byDc.putObject(dc);
            latencies(here, micros);
            number(here, "throughput", micros.getTotalCount() / run.seconds());
        });
    }

    private static void latencies(ObjectNode json, Histogram micros) {
        number(json, "p50_ms", at(micros, 50));
        number(json, "p99_ms", at(micros, 99));
    }

    private static double at(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(percentile) / 1_000.0;
    }

    private static void number(ObjectNode json, String field, double value) {
        if (Double.isFinite(value)) {
            json.put(field, Math.round(value * 1_000) / 1_000.0);
        } else {
            json.putNull(field);
        }
    }
}
