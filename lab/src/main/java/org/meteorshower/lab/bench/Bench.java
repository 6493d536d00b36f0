/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.BenchPlan;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.Schedule;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.report.BenchResult;
import org.meteorshower.lab.bench.report.ConsoleTable;
import org.meteorshower.lab.bench.report.Machine;
import org.meteorshower.lab.bench.report.Ratio;
import org.meteorshower.lab.bench.report.Report;
import org.meteorshower.lab.bench.run.BenchClusters;
import org.meteorshower.lab.bench.run.Calibration;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.Window;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.simulate.TrafficFigures;
import org.meteorshower.lab.simulate.TrafficShow;

/** Does a plan, from nothing to a report. For one thread; the nodes end with it, and with the process. */
final class Bench {
    private static final int MOST_CHARACTERS = 160;

    private final Installation installation;
    private final BenchOptions options;
    private final Report report;
    private final Display display;
    private final Instant started = Instant.now();
    private final List<Calibration> calibrations = new ArrayList<>();
    private final List<RunResult> runs = new ArrayList<>();
    private final List<TrafficFigures> simulated = new ArrayList<>();

    Bench(Installation installation, BenchOptions options, Report report, Display display) {
        this.installation = installation;
        this.options = options;
        this.report = report;
        this.display = display;
    }

    /** Returns what was done, also where not all of the plan could be: the report has it then, and why. */
    BenchResult run() {
        BenchPlan plan = options.plan();
        display.say(String.format(
                Locale.ROOT,
                "%s: %d runs of %d s, seed %d, about %.0f min",
                plan.name(),
                plan.runs(),
                plan.seconds(),
                options.seed(),
                Math.ceil(plan.expectedSeconds() / 60)));
        @Nullable String stopped = null;
        try {
            calibrate(plan);
            for (Schedule.Stage stage : Schedule.of(plan, options.seed())) {
                onClusters(stage);
            }
            simulate(plan);
        } catch (ClusterException | DriverException e) {
            stopped = String.valueOf(e.getMessage());
            if (runs.isEmpty()) {
                throw e;
            }
        }
        BenchResult result = result(stopped);
        display.live("writing the report");
        List<Ratio> ratios = report.finish(result);
        ConsoleTable.lines(result, ratios).forEach(display::say);
        return result;
    }

    private BenchResult result(@Nullable String stopped) {
        return new BenchResult(
                options.plan(),
                options.seed(),
                options.command(),
                started,
                Machine.here(),
                calibrations,
                runs,
                simulated,
                stopped);
    }

    private void calibrate(BenchPlan plan) {
        for (WorkloadSpec workload : plan.workloads()) {
            display.live("measuring the load generator itself: " + workload.name());
            int dcs = plan.networks().get(0).shape().dcs().size();
            Calibration calibration = Calibration.of(workload, dcs, options.seed());
            calibrations.add(calibration);
            display.say(String.format(
                    Locale.ROOT,
                    "the load generator alone, %s: p50 %s, p99 %s, p99.9 %s ms; %s operations a second",
                    workload.name(),
                    Numbers.of(Numbers.millisAt(calibration.latencies(), 50)),
                    Numbers.of(Numbers.millisAt(calibration.latencies(), 99)),
                    Numbers.of(Numbers.millisAt(calibration.latencies(), 99.9)),
                    Numbers.whole((long) calibration.throughput())));
        }
    }

    private void simulate(BenchPlan plan) {
        if (!plan.simulatedNodes().isEmpty()) {
            display.live("simulating the status messages of large clusters");
            TrafficShow.simulate(plan.simulatedNodes(), figures -> {
                simulated.add(figures);
                display.say(String.format(
                        Locale.ROOT,
                        "simulated: %d nodes of %d tokens, %s writes/s each: %s peers, %s messages/s, %s bytes/s by node",
                        figures.nodes(),
                        figures.tokensPerNode(),
                        Numbers.of(figures.writesPerNode()),
                        Numbers.of(figures.peers()),
                        Numbers.of(figures.messages()),
                        Numbers.of(figures.bytes())));
            });
        }
    }

    private void onClusters(Schedule.Stage stage) {
        try (BenchClusters clusters = BenchClusters.start(
                installation, stage, options.firstAddress(), options.historyLimit(), options.seed(), display::say)) {
            display.say("warming up");
            for (PlannedRun run : firstOfEach(stage.runs())) {
                display.live(title(run));
                clusters.of(run).heat(run, options.plan().heatSeconds(), window -> {});
            }
            for (PlannedRun run : stage.runs()) {
                RunResult result = clusters.of(run)
                        .run(
                                run,
                                options.plan().warmUpSeconds(),
                                options.plan().seconds(),
                                window -> display.live(title(run) + liveLine(window)));
                runs.add(result);
                report.add(result, result("it goes on, or was interrupted"));
                display.say(title(run) + line(result));
            }
            display.live("stopping the nodes");
        }
    }

    /**
     * What is to be heated: each system on each cluster, under each workload where the plan gives that time of its own.
     */
    private List<PlannedRun> firstOfEach(List<PlannedRun> planned) {
        boolean each = options.plan().heatsEachWorkload();
        Map<List<Object>, PlannedRun> firsts = new LinkedHashMap<>();
        for (PlannedRun run : planned) {
            NetworkSpec.Shape cluster = run.network().shape();
            firsts.putIfAbsent(
                    each ? List.of(cluster, run.system(), run.workload()) : List.of(cluster, run.system()), run);
        }
        return List.copyOf(firsts.values());
    }

    private String title(PlannedRun run) {
        return String.format(
                Locale.ROOT,
                "%3d/%d  %s, %s, %s: ",
                run.number(),
                options.plan().runs(),
                run.network().name(),
                run.workload().name(),
                run.system().name());
    }

    private static String liveLine(Window window) {
        return String.format(
                Locale.ROOT,
                "%d reads p50 %s, %d writes p50 %s ms",
                window.reads().getTotalCount(),
                Numbers.of(Numbers.millisAt(window.reads(), 50)),
                window.writes().getTotalCount(),
                Numbers.of(Numbers.millisAt(window.writes(), 50)));
    }

    /** What drivers say goes on and on. */
    private static String shortened(String reason) {
        String line = reason.replace('\n', ' ');
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "…";
    }

    private static String line(RunResult result) {
        StringBuilder line = new StringBuilder();
        for (Op op : Op.values()) {
            var latencies = result.latencies(op);
            if (latencies.getTotalCount() > 0) {
                line.append(String.format(
                        Locale.ROOT,
                        "%s %s/%s  ",
                        op.word(),
                        Numbers.of(Numbers.millisAt(latencies, 50)),
                        Numbers.of(Numbers.millisAt(latencies, 99))));
            }
        }
        line.append(Numbers.of(result.throughput(Op.READ) + result.throughput(Op.WRITE)))
                .append(" ops/s");
        RunResult.Check check = result.check();
        if (check != null && !check.outcome().equals("consistent")) {
            line.append("; ").append(check.outcome()).append(": ").append(check.reason());
        }
        result.failed().forEach((op, failures) -> line.append("; ")
                .append(failures.count())
                .append(' ')
                .append(op.word())
                .append("s failed, first ")
                .append(shortened(failures.first())));
        if (result.overflow() > 0) {
            line.append("; ").append(result.overflow()).append(" given up: too many under way");
        }
        if (result.disturbedWindows() > 0) {
            line.append(String.format(
                    Locale.ROOT,
                    "; disturbed in %d of %d s",
                    result.disturbedWindows(),
                    result.windows().size()));
        }
        return line.toString();
    }
}
