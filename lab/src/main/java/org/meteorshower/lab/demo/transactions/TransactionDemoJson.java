/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.report.TransactionOutcomes;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;

/** What came of the demo, for programs. Durations in milliseconds, null for what is unknown. */
final class TransactionDemoJson {
    private TransactionDemoJson() {}

    static ObjectNode of(TransactionDemoResult result) {
        TransactionOutcomes all = result.outcomes();
        ObjectNode json = Json.object();
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
            killed.put("killed", outage.killed());
            Json.number(killed, "longest_stall_ms", outage.longestStallMillis());
            ObjectNode stalls = killed.putObject("stalls_ms");
            outage.stallsMillis().forEach((dc, millis) -> Json.number(stalls, dc, millis));
        }
        return json;
    }

    private static void workload(ObjectNode json, RunResult run) {
        TransactionOutcomes outcomes = TransactionOutcomes.of(List.of(run));
        latencies(json, outcomes.latencies());
        Json.number(json, "throughput", outcomes.throughput());
        ObjectNode byDc = json.putObject("by_dc");
        outcomes.byDc().forEach((dc, micros) -> {
            ObjectNode here = byDc.putObject(dc);
            latencies(here, micros);
            Json.number(here, "throughput", micros.getTotalCount() / run.seconds());
        });
    }

    private static void latencies(ObjectNode json, Histogram micros) {
        Json.number(json, "p50_ms", Numbers.millisAt(micros, 50));
        Json.number(json, "p99_ms", Numbers.millisAt(micros, 99));
    }
}
