/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.meteorshower.client.Served;
import org.meteorshower.lab.console.Json;

/** What a run gave, for programs. Durations in milliseconds unless the name says seconds; what is unknown is null. */
final class DemoJson {
    private DemoJson() {}

    static ObjectNode of(DemoResult result) {
        ObjectNode json = Json.object();
        json.put("ops", result.checkedOperations());
        json.put("violations", result.violations());
        json.put("undecided", result.undecided());
        json.put("measured_ops", result.measuredOperations());
        json.put("failures", result.failures());
        Json.number(json, "boot_seconds", result.bootSeconds());
        Json.number(json, "first_row_seconds", result.firstRowSeconds());
        Json.number(json, "rss_mb", result.rssMegabytes());
        ObjectNode modes = json.putObject("modes");
        result.stats().forEach((mode, stats) -> modes.set(mode.word(), mode(stats)));
        ObjectNode ratios = json.putObject("ratios");
        result.goals().forEach(goal -> ratios.set(goal.word(), goal(goal)));
        ArrayNode checks = json.putArray("checks");
        result.findings().forEach(finding -> checks.add(check(finding)));
        OutageReport outage = result.outage();
        if (outage != null) {
            json.set("outage", outage(outage));
        }
        json.set("workload", workload(result.options()));
        json.set("machine", machine(result.machine()));
        return json;
    }

    private static ObjectNode mode(ModeStats stats) {
        ObjectNode json = operations(stats, stats.total());
        ObjectNode perDc = json.putObject("per_dc");
        stats.dcs().forEach(dc -> perDc.set(dc, operations(stats, stats.at(dc))));
        return json;
    }

    private static ObjectNode operations(ModeStats all, OperationStats stats) {
        ObjectNode json = Json.object();
        json.set("read", latencies(stats.reads()));
        json.set("write", latencies(stats.writes()));
        Json.number(json, "ops_per_second", all.operationsPerSecond(stats));
        json.put("failures", stats.failures());
        if (!Double.isNaN(stats.localShare())) {
            Json.number(json, "local_share", stats.localShare());
            ObjectNode served = json.putObject("served");
            for (Served way : Served.values()) {
                Json.number(served, way.text(), stats.share(way));
            }
            Json.number(json, "staleness_p50_ms", stats.staleness().millisAt(50));
            Json.number(json, "staleness_p99_ms", stats.staleness().millisAt(99));
        }
        return json;
    }

    private static ObjectNode latencies(Latencies latencies) {
        ObjectNode json = Json.object();
        json.put("count", latencies.count());
        Json.number(json, "p50_ms", latencies.millisAt(50));
        Json.number(json, "p90_ms", latencies.millisAt(90));
        Json.number(json, "p99_ms", latencies.millisAt(99));
        Json.number(json, "p999_ms", latencies.millisAt(99.9));
        return json;
    }

    private static ObjectNode goal(Goal goal) {
        ObjectNode json = Json.object();
        Json.number(json, "value", goal.value());
        if (goal.isJudged()) {
            json.put(goal.atLeast() ? "at_least" : "at_most", goal.limit());
            json.put("met", goal.isMet());
        }
        return json;
    }

    private static ObjectNode check(Finding finding) {
        ObjectNode json = Json.object();
        json.put("history", finding.title());
        json.put("model", finding.verdict().model().name().toLowerCase(Locale.ROOT));
        json.put("promised", finding.promised());
        json.put("outcome", finding.verdict().outcome().name().toLowerCase(Locale.ROOT));
        json.put("reason", finding.verdict().reason());
        json.put("ops", finding.history().size());
        json.put("sessions", finding.history().sessionCount());
        Json.number(json, "seconds", finding.elapsedNanos() / 1e9);
        return json;
    }

    private static ObjectNode outage(OutageReport outage) {
        ObjectNode json = Json.object();
        json.put("dc", outage.dc());
        Json.number(json, "down_seconds", outage.downSeconds());
        json.put("ops", outage.operations());
        json.put("failures", outage.failures());
        json.put("first_failure", outage.firstFailure());
        Json.number(json, "longest_stall_ms", outage.longestStallMillis());
        Json.number(json, "longest_move_ms", outage.longestMoveMillis());
        return json;
    }

    private static ObjectNode workload(DemoOptions options) {
        ObjectNode json = Json.object();
        options.cluster().dcs().forEach(json.putArray("dcs")::add);
        options.cluster().delaysMillis().forEach(json.putArray("delay_ms")::add);
        json.put("seconds", options.seconds());
        json.put("threads", options.workload().threads());
        json.put("rows", options.workload().rows());
        json.put("read_share", options.workload().readShare());
        Json.number(json, "most_ops_per_second", options.workload().operationsPerSecond());
        return json;
    }

    private static ObjectNode machine(MachineUse machine) {
        ObjectNode json = Json.object();
        json.put("cores", machine.cores());
        Json.number(json, "load_average_before", machine.loadAverageBefore());
        Json.number(json, "load_average_after", machine.loadAverageAfter());
        Json.number(json, "busy_share", machine.busyShare());
        Json.number(json, "stolen_share", machine.stolenShare());
        Json.number(json, "client_share", machine.clientShare());
        return json;
    }
}
