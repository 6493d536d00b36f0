/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeStatus;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;

/** One run from nothing to a verdict. For one thread; the nodes end with it unless they are to be kept. */
final class Demo {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);

    private final Installation installation;
    private final DemoOptions options;
    private final RunFolder folder;
    private final Plan plan;
    private final Display display;
    private final RowKeys keys;
    private final Map<Mode, ModeStats> stats = new EnumMap<>(Mode.class);
    private final long epochNanos = System.nanoTime();
    private double firstRowSeconds = Double.NaN;

    Demo(Installation installation, DemoOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        folder = new RunFolder(installation, "demo");
        this.display = display;
        plan = Plan.of(options.modes(), options.seconds(), options.workload().readShare());
        keys = new RowKeys(options.workload().rows());
        options.modes()
                .forEach(mode -> stats.put(mode, new ModeStats(options.cluster().dcs())));
    }

    /**
     * Runs everything and prints it. Throws {@link DemoException} or
     * {@link org.meteorshower.lab.cluster.ClusterException} where it cannot go on; nothing is left running then, unless
     * asked for.
     */
    DemoResult run() {
        announce();
        LocalCluster cluster = LocalCluster.start(
                installation, folder.claim(options.cluster()), options.cluster(), BOOT_LIMIT, display::say);
        double bootSeconds = seconds(epochNanos);
        try {
            DemoResult result = onCluster(cluster, bootSeconds);
            new ResultPrinter(display).print(result);
            Path json = options.json();
            if (json != null) {
                Json.write(DemoJson.of(result), json);
            }
            keepHistory(result);
            return result;
        } finally {
            end(cluster);
        }
    }

    private void announce() {
        Workload workload = options.workload();
        display.say(String.format(
                Locale.ROOT,
                "%d data centres, %s ms one way; %d clients, %.0f %% reads, %,d rows; %d s of measuring",
                options.cluster().dcs().size(),
                String.join(
                        "/",
                        options.cluster().delaysMillis().stream()
                                .map(Numbers::plain)
                                .toList()),
                workload.threads(),
                workload.readShare() * 100,
                workload.rows(),
                plan.seconds()));
    }

    private DemoResult onCluster(LocalCluster cluster, double bootSeconds) {
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.max(Loader.THREADS, options.workload().threads()), Demo::daemon);
        try (Connections connections = new Connections(cluster.nodes())) {
            display.say(
                    "making the tables" + (options.cluster().plugin() ? ", enabling MeteorShower on two of them" : ""));
            new Schema(connections, options.modes()).create();
            List<Participant> participants = participants(connections);
            display.say("writing the rows");
            Map<Mode, List<SessionLog>> loads =
                    new Loader(connections, keys, epochNanos).load(options.modes(), pool, participants);
            PhaseRunner runner = new PhaseRunner(participants, pool, options.workload(), epochNanos);
            heat(runner);
            MachineUse.Watch watch = MachineUse.watch();
            plan.measured().forEach(phase -> measure(runner, phase));
            MachineUse use = watch.end();
            double rss = cluster.status().stream()
                            .mapToLong(NodeStatus::residentBytes)
                            .sum()
                    / (double) (1 << 20);
            OutageReport outage = outage(cluster, runner, participants);
            display.live("checking what the clients saw");
            List<Finding> findings =
                    Judge.findings(Recording.of(loads, participants, options.modes()), options.modes());
            List<Goal> goals = Goals.of(stats, options.cluster().delaysMillis(), firstRowSeconds, rss);
            return new DemoResult(options, bootSeconds, firstRowSeconds, rss, stats, findings, goals, outage, use);
        } finally {
            pool.shutdownNow();
        }
    }

    private List<Participant> participants(Connections connections) {
        List<Participant> participants = new ArrayList<>();
        for (int i = 0; i < options.workload().threads(); i++) {
            participants.add(new Participant(i, connections, keys));
        }
        return participants;
    }

    private void heat(PhaseRunner runner) {
        display.say("warming up all modes");
        for (Phase phase : plan.heating()) {
            display.live(phase.mode().title());
            runner.run(phase, new ModeStats(options.cluster().dcs()), window -> {});
        }
    }

    private void measure(PhaseRunner runner, Phase phase) {
        ModeStats measured = new ModeStats(options.cluster().dcs());
        String round = phase.round() + "/" + plan.rounds() + " ";
        runner.run(phase, measured, window -> display.live(round + liveLine(window)));
        display.say(round + TablePrinter.line(phase, measured));
        ModeStats total = stats.get(phase.mode());
        if (total != null) {
            total.addAll(measured);
        }
        if (Double.isNaN(firstRowSeconds)) {
            firstRowSeconds = (System.currentTimeMillis()
                            - ManagementFactory.getRuntimeMXBean().getStartTime())
                    / 1_000.0;
        }
    }

    private static String liveLine(PhaseWindow window) {
        double left = Math.max(0, (window.endNanos() - System.nanoTime()) / 1e9);
        OperationStats now = window.stats().total();
        return String.format(
                Locale.ROOT,
                "%-20s reads p50 %7s p99 %7s   writes p50 %7s ms   %.0f s left",
                window.phase().mode().title(),
                Numbers.of(now.reads().millisAt(50)),
                Numbers.of(now.reads().millisAt(99)),
                Numbers.of(now.writes().millisAt(50)),
                left);
    }

    private @Nullable OutageReport outage(LocalCluster cluster, PhaseRunner runner, List<Participant> participants) {
        String dc = options.kill();
        return dc == null
                ? null
                : new Outage(cluster, dc, display)
                        .run(runner, participants, options.workload().readShare(), epochNanos);
    }

    /** Where it was asked for, and in any case where it proves a violation. */
    private void keepHistory(DemoResult result) {
        Path asked = options.history();
        boolean suspicious = result.violations() + result.undecided() > 0;
        if (asked == null && !suspicious) {
            return;
        }
        Map<Finding, Path> files = new LinkedHashMap<>();
        for (Finding finding : result.findings()) {
            if (finding.promised() && finding.verdict().model() == Model.SEQUENTIAL) {
                files.put(finding, asked != null ? asked : folder.failedHistory());
            }
        }
        files.forEach((finding, file) -> {
            try (HistoryWriter writer = HistoryWriter.create(file)) {
                writer.appendAll(finding.history());
            } catch (IOException e) {
                throw new DemoException("cannot write " + file + ": " + e.getMessage(), e);
            }
            display.say("what the clients saw is in " + file + "; look at it with ./meteor check " + file);
        });
    }

    private void end(LocalCluster cluster) {
        if (options.keep()) {
            cluster.detach();
            String name = cluster.folder().getFileName().toString();
            display.say("the cluster stays: cqlsh " + cluster.nodes().get(0).address()
                    + ", ./meteor cluster status --name " + name + ", ./meteor cluster stop --name " + name);
        } else {
            display.live("stopping the nodes");
            cluster.close();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "demo-client");
        thread.setDaemon(true);
        return thread;
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}
