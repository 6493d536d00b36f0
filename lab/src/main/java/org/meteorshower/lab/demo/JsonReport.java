/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.meteorshower.client.Served;

/** What a run gave, for programs. Durations in milliseconds unless the name says seconds; what is unknown is null. */
final class JsonReport {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonReport() {}

    static void write(DemoResult result, Path file) {
        try {
            MAPPER.writeValue(file.toFile(), of(result));
        } catch (IOException e) {
            throw new DemoException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static ObjectNode of(DemoResult result) {
        ObjectNode json = object();
        json.put("ops", result.checkedOperations());
        json.put("violations", result.violations());
        json.put("undecided", result.undecided());
        json.put("measured_ops", result.measuredOperations());
        json.put("failures", result.failures());
        number(json, "boot_seconds", result.bootSeconds());
        number(json, "first_row_seconds", result.firstRowSeconds());
        number(json, "rss_mb", result.rssMegabytes());
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
        ObjectNode json = object();
        json.set("read", latencies(stats.reads()));
        json.set("write", latencies(stats.writes()));
        number(json, "ops_per_second", all.operationsPerSecond(stats));
        json.put("failures", stats.failures());
        if (!Double.isNaN(stats.localShare())) {
            number(json, "local_share", stats.localShare());
            ObjectNode served = json.putObject("served");
            for (Served way : Served.values()) {
                number(served, way.text(), stats.share(way));
            }
            number(json, "staleness_p50_ms", stats.staleness().millisAt(50));
            number(json, "staleness_p99_ms", stats.staleness().millisAt(99));
        }
        return json;
    }

    private static ObjectNode latencies(Latencies latencies) {
        ObjectNode json = object();
        json.put("count", latencies.count());
        number(json, "p50_ms", latencies.millisAt(50));
        number(json, "p90_ms", latencies.millisAt(90));
        number(json, "p99_ms", latencies.millisAt(99));
        number(json, "p999_ms", latencies.millisAt(99.9));
        return json;
    }

    private static ObjectNode goal(Goal goal) {
        ObjectNode json = object();
        number(json, "value", goal.value());
        if (goal.isJudged()) {
            json.put(goal.atLeast() ? "at_least" : "at_most", goal.limit());
            json.put("met", goal.isMet());
        }
        return json;
    }

    private static ObjectNode check(Finding finding) {
        ObjectNode json = object();
        json.put("history", finding.title());
        json.put("model", finding.verdict().model().name().toLowerCase(Locale.ROOT));
        json.put("promised", finding.promised());
        json.put("outcome", finding.verdict().outcome().name().toLowerCase(Locale.ROOT));
        json.put("reason", finding.verdict().reason());
        json.put("ops", finding.history().size());
        json.put("sessions", finding.history().sessionCount());
        number(json, "seconds", finding.elapsedNanos() / 1e9);
        return json;
    }

    private static ObjectNode outage(OutageReport outage) {
        ObjectNode json = object();
        json.put("dc", outage.dc());
        number(json, "down_seconds", outage.downSeconds());
        json.put("ops", outage.operations());
        json.put("failures", outage.failures());
        json.put("first_failure", outage.firstFailure());
        number(json, "longest_stall_ms", outage.longestStallMillis());
        number(json, "longest_move_ms", outage.longestMoveMillis());
        return json;
    }

    private static ObjectNode workload(DemoOptions options) {
        ObjectNode json = object();
        options.cluster().dcs().forEach(json.putArray("dcs")::add);
        options.cluster().delaysMillis().forEach(json.putArray("delay_ms")::add);
        json.put("seconds", options.seconds());
        json.put("threads", options.workload().threads());
        json.put("rows", options.workload().rows());
        json.put("read_share", options.workload().readShare());
        number(json, "most_ops_per_second", options.workload().operationsPerSecond());
        return json;
    }

    private static ObjectNode machine(MachineUse machine) {
        ObjectNode json = object();
        json.put("cores", machine.cores());
        number(json, "load_average_before", machine.loadAverageBefore());
        number(json, "load_average_after", machine.loadAverageAfter());
        number(json, "busy_share", machine.busyShare());
        number(json, "stolen_share", machine.stolenShare());
        number(json, "client_share", machine.clientShare());
        return json;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** To the microsecond; null for what is no number, which JSON does not know. */
    private static void number(ObjectNode json, String field, double value) {
        if (Double.isFinite(value)) {
            json.put(field, Math.round(value * 1_000) / 1_000.0);
        } else {
            json.putNull(field);
        }
    }
}
