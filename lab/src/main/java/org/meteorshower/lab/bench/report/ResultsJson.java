/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.MachineSample;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Traffic;
import org.meteorshower.lab.bench.run.TransactionFigures;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.simulate.TrafficShow;

/** What came of a plan, for programs. Durations in milliseconds, shares 0..1; what is unknown is null. */
final class ResultsJson {
    private static final List<Double> PERCENTILES = List.of(25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 99.99);

    private ResultsJson() {}

    static ObjectNode of(BenchResult result, List<Ratio> ratios) {
        ObjectNode json = Json.object();
        json.put("question", result.plan().question());
        json.put("command", result.command());
        json.put("started", result.started().toString());
        json.put("stopped", result.stopped());
        json.put("violations", result.violations());
        json.put("windows", result.windows());
        json.put("disturbed_windows", result.disturbedWindows());
        ArrayNode runs = json.putArray("runs");
        for (RunResult run : result.runs()) {
            for (Op op : Op.values()) {
                if (run.latencies(op).getTotalCount() > 0 || run.failures(op) > 0) {
                    runs.add(run(run, op, result.machine().cores()));
                }
            }
        }
        ArrayNode all = json.putArray("ratios");
        ratios.forEach(ratio -> all.add(ratio(ratio)));
        if (!result.simulated().isEmpty()) {
            json.set("simulated_traffic", TrafficShow.json(result.simulated()));
        }
        json.set("machine", machine(result));
        ArrayNode calibrations = json.putArray("calibration");
        result.calibrations().forEach(each -> calibrations.add(calibration(each)));
        json.set("plan", plan(result));
        return json;
    }

    private static ObjectNode run(RunResult result, Op op, int machineCores) {
        PlannedRun run = result.run();
        ObjectNode json = Json.object();
        asked(json, run);
        json.put("op", op.word());
        latencies(json, result.latencies(op));
        Json.finer(json, "throughput", result.throughput(op));
        json.set("service", latencies(Json.object(), op == Op.READ ? result.readService() : result.writeService()));
        ObjectNode byClients = json.putObject("by_dc");
        result.byDataCentre().forEach((dc, here) -> latencies(byClients.putObject(dc), here.of(op)));
        json.put("failures", result.failures(op));
        json.put("first_failure", result.firstFailure(op));
        // Of the run, in the entries of both kinds: what was given up had not been drawn yet.
        json.put("overflow", result.overflow());
        json.put("unanswered", result.unanswered());
        if (op == Op.READ && !Double.isNaN(result.localShare())) {
            served(json, result);
        }
        RunResult.Check check = result.check();
        if (check != null) {
            add(json.putObject("check"), check);
        }
        Traffic traffic = result.traffic();
        if (traffic != null) {
            json.set("traffic", traffic(traffic, result));
        }
        TransactionFigures transactions = result.transactions();
        if (transactions != null) {
            json.put(
                    "transactions",
                    String.valueOf(run.workload().transactions()).toLowerCase(Locale.ROOT));
            json.set("outcomes", transactions(transactions, result));
            TpccJson.add(json, run.workload(), transactions.tpcc(), result, machineCores);
        }
        json.put("windows", result.windows().size());
        json.put("disturbed_windows", result.disturbedWindows());
        json.set("undisturbed", latencies(Json.object(), result.undisturbed(op)));
        json.set("machine", use(result));
        json.put("histogram", "histograms/" + HistogramFiles.stem(run) + "-" + op.word() + ".hgrm");
        return json;
    }

    /** What was measured: the system, its network, the workload. */
    private static void asked(ObjectNode json, PlannedRun run) {
        NetworkSpec network = run.network();
        json.put("number", run.number());
        json.put("repeat", run.repeat());
        json.put("name", run.system().name());
        json.put("system", run.system().product());
        json.put("mode", run.system().mode());
        json.put("network", network.name());
        Json.finer(json, "delay_ms", network.meanDelayMillis());
        network.delaysMillis().forEach(json.putArray("delays_ms")::add);
        json.put("nodes", network.shape().dcs().size() * network.shape().nodesPerDc());
        json.put("replicas_per_dc", network.shape().replicasPerDc());
        json.put("plugin", network.shape().plugin());
        json.put("commit_log", network.shape().commitLog().word());
        json.put("workload", run.workload().name());
        json.put("rows", run.workload().rows());
        json.put("zipfian", run.workload().zipfian());
        Json.finer(json, "read_share", run.workload().readShare());
        Json.finer(
                json,
                "rate_per_dc",
                run.workload().isOpenLoop() ? run.workload().ratePerDc() : Double.NaN);
    }

    private static void served(ObjectNode json, RunResult result) {
        Json.finer(json, "local_share", result.localShare());
        ObjectNode served = json.putObject("served");
        result.served().forEach((way, count) -> served.put(way.text(), count));
        for (double percentile : PERCENTILES) {
            Json.finer(json, "staleness_" + name(percentile), Numbers.millisAt(result.staleness(), percentile));
        }
    }

    private static String name(double percentile) {
        return "p" + Numbers.plain(percentile).replace(".", "") + "_ms";
    }

    private static void add(ObjectNode json, RunResult.Check check) {
        json.put("model", check.model());
        json.put("outcome", check.outcome());
        json.put("reason", check.reason());
        json.put("ops", check.operations());
        Json.finer(json, "seconds", check.seconds());
    }

    static ObjectNode latencies(ObjectNode json, Histogram micros) {
        json.put("count", micros.getTotalCount());
        for (double percentile : PERCENTILES) {
            Json.finer(json, name(percentile), Numbers.millisAt(micros, percentile));
        }
        Json.finer(json, "mean_ms", micros.getTotalCount() == 0 ? Double.NaN : micros.getMean() / 1_000);
        Json.finer(json, "max_ms", Numbers.millisAt(micros, 100));
        return json;
    }

    /** By node; of the run, in the entries of both kinds. */
    private static ObjectNode traffic(Traffic traffic, RunResult result) {
        ObjectNode json = Json.object();
        Json.finer(json, "peers", traffic.peers());
        Json.finer(json, "messages_per_s", traffic.messageRate());
        Json.finer(json, "bytes_per_s", traffic.byteRate());
        Json.finer(json, "bytes_per_write_and_peer", traffic.bytesPerWriteAndPeer(result.throughput(Op.WRITE)));
        Json.finer(json, "threads_cpu_share", traffic.threadShare());
        return json;
    }

    private static ObjectNode use(RunResult result) {
        ObjectNode json = Json.object();
        Json.finer(json, "cpu_share_by_node", result.nodeProcessorShare());
        Json.finer(json, "busy_share", mean(result, MachineSample::busyShare));
        Json.finer(json, "nodes_share", mean(result, MachineSample::nodesShare));
        Json.finer(json, "client_share", mean(result, MachineSample::clientShare));
        Json.finer(json, "foreign_share", mean(result, MachineSample::foreignShare));
        Json.finer(json, "stolen_share", mean(result, MachineSample::stolenShare));
        Json.finer(json, "load_average", mean(result, MachineSample::loadAverage));
        json.put(
                "gc_ms",
                result.windows().stream().mapToLong(w -> w.machine().gcMillis()).sum());
        Json.finer(
                json,
                "longest_hiccup_ms",
                result.windows().stream()
                        .mapToDouble(w -> w.machine().hiccupMillis())
                        .max()
                        .orElse(Double.NaN));
        return json;
    }

    /** How they ended, and latencies by data centre of those that write; of the run, in the entries of both kinds. */
    private static ObjectNode transactions(TransactionFigures figures, RunResult result) {
        ObjectNode json = Json.object();
        json.put("commits", figures.commits());
        json.put("aborts", figures.aborts());
        json.put("unknown", figures.unknown());
        json.put("retries", figures.retries());
        ObjectNode reasons = json.putObject("reasons");
        figures.reasons().forEach(reasons::put);
        ObjectNode byDc = json.putObject("by_dc");
        result.byDataCentre().forEach((dc, latencies) -> {
            ObjectNode here = latencies(byDc.putObject(dc), latencies.writes());
            Json.finer(here, "throughput", latencies.writes().getTotalCount() / result.seconds());
            Json.finer(here, "longest_silence_ms", figures.stallsMillis().getOrDefault(dc, Double.NaN));
        });
        return json;
    }

    private static double mean(RunResult result, ToDoubleFunction<MachineSample> value) {
        return result.windows().stream()
                .mapToDouble(window -> value.applyAsDouble(window.machine()))
                .average()
                .orElse(Double.NaN);
    }

    private static ObjectNode ratio(Ratio ratio) {
        ObjectNode json = Json.object();
        json.put("of", ratio.of());
        json.put("to", ratio.to());
        json.put("where", ratio.title());
        json.put("op", ratio.op().word());
        json.put("quantity", ratio.quantity().word());
        interval(json, ratio.value());
        json.put("repeats", ratio.repeats());
        interval(json.putObject("undisturbed"), ratio.undisturbed());
        return json;
    }

    private static void interval(ObjectNode json, Ratio.Interval interval) {
        Json.finer(json, "ratio", interval.value());
        Json.finer(json, "low", interval.low());
        Json.finer(json, "high", interval.high());
    }

    private static ObjectNode machine(BenchResult result) {
        ObjectNode json = Json.object();
        json.put("processor", result.machine().processor());
        json.put("cores", result.machine().cores());
        json.put("memory_mb", result.machine().memoryMegabytes());
        json.put("system", result.machine().system());
        json.put("java", result.machine().java());
        ObjectNode limits = json.putObject("disturbed_beyond");
        limits.put("stolen_share", MachineSample.MOST_STOLEN);
        limits.put("foreign_share", MachineSample.MOST_FOREIGN);
        limits.put("gc_ms", MachineSample.MOST_GC_MILLIS);
        limits.put("hiccup_ms", MachineSample.MOST_HICCUP_MILLIS);
        return json;
    }

    private static ObjectNode calibration(Calibration calibration) {
        ObjectNode json = Json.object();
        json.put("workload", calibration.workload().name());
        latencies(json, calibration.latencies());
        Json.finer(json, "throughput", calibration.throughput());
        return json;
    }

    private static ObjectNode plan(BenchResult result) {
        ObjectNode json = Json.object();
        json.put("name", result.plan().name());
        json.put("seed", result.seed());
        json.put("seconds", result.plan().seconds());
        json.put("warm_up_seconds", result.plan().warmUpSeconds());
        json.put("repeats", result.plan().repeats());
        json.put("text", result.plan().text());
        ArrayNode order = json.putArray("order");
        result.runs().forEach(run -> order.add(HistogramFiles.stem(run.run())));
        return json;
    }
}
