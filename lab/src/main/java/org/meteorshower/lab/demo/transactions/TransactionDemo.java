/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.plan.TransactionMix;
import org.meteorshower.lab.bench.run.BenchCluster;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TransactionFigures;
import org.meteorshower.lab.bench.run.Window;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.transactions.TransactionHistoryFile;

/** One demo from nothing to a verdict. For one thread; the nodes end with it, and with the process. */
final class TransactionDemo {
    private static final int WARM_UP_SECONDS = 3;
    private static final int HISTORY_LIMIT = 300_000;

    /** Before the death, which is measured with it. */
    private static final int CALM_SECONDS = 3;

    private static final int OUTAGE_SECONDS = 12;

    private static final int HEAT_SECONDS = 15;
    private static final int HOT_ROW_HEAT_SECONDS = 3;

    private final Installation installation;
    private final TransactionDemoOptions options;
    private final Display display;
    private final SystemSpec system;
    private final NetworkSpec network;
    private int runs;

    TransactionDemo(Installation installation, TransactionDemoOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        this.display = display;
        system = SystemSpec.transactional(options.engine());
        network = options.network();
    }

    /**
     * Throws {@link org.meteorshower.lab.cluster.ClusterException} where it cannot go on; nothing is left running then.
     */
    TransactionDemoResult run() {
        display.say(String.format(
                Locale.ROOT,
                "%d data centres%s, %s ms one way; %s; %d clients in each, %,d accounts; %d s for each workload",
                options.dcs().size(),
                options.nodesPerDc() == 1 ? "" : " of " + options.nodesPerDc() + " nodes",
                options.delaysMillis().stream().map(Numbers::of).collect(Collectors.joining("/")),
                options.engine().description(),
                options.clients(),
                options.rows(),
                options.seconds()));
        try (BenchCluster cluster = BenchCluster.start(
                installation,
                new RunFolder(installation, "demo-transactions")
                        .claim(network.shape().options(options.firstAddress())),
                network.shape(),
                options.firstAddress(),
                List.of(system),
                HISTORY_LIMIT,
                options.seed(),
                new ArrayList<>(),
                display::say)) {
            TransactionDemoResult result = onCluster(cluster);
            new TransactionDemoPrinter(display).print(result);
            Path json = options.json();
            if (json != null) {
                Json.write(TransactionDemoJson.of(result), json);
            }
            display.live("stopping the nodes");
            return result;
        }
    }

    private TransactionDemoResult onCluster(BenchCluster cluster) {
        display.say("warming up, " + HEAT_SECONDS + " s: compilers are slow to see what they should compile");
        heat(cluster, TransactionMix.TRANSFER, HEAT_SECONDS - HOT_ROW_HEAT_SECONDS);
        heat(cluster, TransactionMix.HOT_ROW, HOT_ROW_HEAT_SECONDS);
        RunResult transfer = measure(cluster, TransactionMix.TRANSFER);
        RunResult hotRow = measure(cluster, TransactionMix.HOT_ROW);
        String dc = options.kill();
        return new TransactionDemoResult(options, transfer, hotRow, dc == null ? null : outage(cluster, dc));
    }

    private void heat(BenchCluster cluster, TransactionMix mix, int seconds) {
        cluster.heat(planned(mix), seconds, window -> display.live(line("warming up", window)));
    }

    private PlannedRun planned(TransactionMix mix) {
        runs++;
        return new PlannedRun(runs, 1, network, options.workload(mix), system);
    }

    private RunResult measure(BenchCluster cluster, TransactionMix mix) {
        RunResult result = cluster.run(
                planned(mix), WARM_UP_SECONDS, options.seconds(), window -> display.live(line(mix.word(), window)));
        told(mix.word(), result);
        return result;
    }

    private TransactionDemoResult.Outage outage(BenchCluster cluster, String dc) {
        AtomicInteger seconds = new AtomicInteger();
        String[] killed = {"nobody"};
        RunResult result = cluster.run(planned(TransactionMix.TRANSFER), WARM_UP_SECONDS, OUTAGE_SECONDS, window -> {
            if (seconds.incrementAndGet() == CALM_SECONDS) {
                killed[0] = kill(cluster, dc);
            }
            display.live(line("without " + killed[0], window));
        });
        told("a death", result);
        TransactionFigures figures = result.transactions();
        Map<String, Double> stalls = new LinkedHashMap<>();
        for (String each : options.dcs()) {
            if (!each.equals(killed[0])) {
                stalls.put(
                        each,
                        figures == null ? Double.NaN : figures.stallsMillis().getOrDefault(each, Double.NaN));
            }
        }
        return new TransactionDemoResult.Outage(killed[0], result, stalls);
    }

    /** Returns what is dead. */
    private String kill(BenchCluster cluster, String dc) {
        if (options.nodesPerDc() > 1) {
            String node = cluster.killRunning(dc);
            display.say("  killed " + node + ", which ran the transactions of " + dc
                    + ", with SIGKILL, transfers in the middle of it");
            return node;
        }
        display.say("  killing " + dc + " with SIGKILL, transfers in the middle of it");
        cluster.kill(dc);
        return dc;
    }

    private static String line(String what, Window window) {
        return String.format(
                Locale.ROOT,
                "%-12s %4d commits/s   p50 %6s   p99 %6s ms",
                what,
                window.writes().getTotalCount(),
                Numbers.of(Numbers.millisAt(window.writes(), 50)),
                Numbers.of(Numbers.millisAt(window.writes(), 99)));
    }

    /** Keeps what the clients saw where it was asked for, and in any case where it proves a violation. */
    private void told(String what, RunResult result) {
        TransactionFigures figures = result.transactions();
        Path file = figures == null ? null : historyFile(what, result.isViolation());
        if (file != null && figures != null) {
            try {
                TransactionHistoryFile.write(figures.history(), file);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            }
            display.say("  what the clients saw: ./meteor check --model strict-serializable " + file);
        }
    }

    private @Nullable Path historyFile(String what, boolean needed) {
        Path folder = options.history();
        if (folder == null) {
            return needed ? new RunFolder(installation, "demo-transactions").failedHistory() : null;
        }
        try {
            return Files.createDirectories(folder).resolve(what.replace(' ', '-') + ".jsonl");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + folder + ": " + e.getMessage(), e);
        }
    }
}
