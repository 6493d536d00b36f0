/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Verdict;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;

/** One run: nodes, sessions, faults, verdict. For one thread; the nodes end with it. */
final class Torture {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final long LIVE_MILLIS = 1_000;
    private static final long LOOK_AFTER_MILLIS = 3_000;

    private final Installation installation;
    private final TortureOptions options;
    private final RunFolder folder;
    private final Display display;

    Torture(Installation installation, TortureOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        folder = new RunFolder(installation, "torture");
        this.display = display;
    }

    /** Throws {@link ClusterException} where it cannot go on; nothing is left running then. */
    TortureResult run() throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(
                installation, folder.claim(options.cluster()), options.cluster(), BOOT_LIMIT, display::say);
        try (DataCentres dataCentres = new DataCentres(cluster.nodes(), REQUEST_LIMIT)) {
            TableMaker tables = new TableMaker(dataCentres, Table.KEYSPACE);
            tables.create(List.of(Table.NAME), List.of(Table.NAME));
            return torture(
                    cluster,
                    dataCentres,
                    node -> replaced(node, dataCentres, tables),
                    new Operator(dataCentres, tables, options.rows()));
        } finally {
            display.live("stopping the nodes");
            cluster.close();
        }
    }

    private TortureResult torture(
            LocalCluster cluster, DataCentres dataCentres, Consumer<NodeSpec> replaced, Operator operator)
            throws InterruptedException {
        long epochNanos = System.nanoTime();
        FaultPlan plan = new FaultPlan(options.seed(), dataCentres.names(), options.faults());
        try (Workload workload = new Workload(options, dataCentres, epochNanos)) {
            FaultRunner faults = new FaultRunner(
                    cluster,
                    plan,
                    epochNanos,
                    replaced,
                    dc -> {
                        throw new IllegalStateException("no fault of reads strikes who runs transactions");
                    },
                    operator,
                    line -> display.say(stamp(epochNanos) + line));
            Thread live = new Thread(() -> show(workload, epochNanos), "torture-live");
            live.setDaemon(true);
            live.start();
            faults.run(epochNanos + options.length().toNanos());
            Thread.sleep(TimeUnit.SECONDS.toMillis(3));
            long seconds = TimeUnit.NANOSECONDS.toSeconds(workload.nanos());
            display.say(stamp(epochNanos) + "all faults are undone; every session reads every row wherever it can");
            History history = workload.stop();
            live.interrupt();
            List<String> lost = new ArrayList<>();
            workload.incomplete()
                    .forEach(session -> lost.add(session + " could not read every row within a minute after all faults"
                            + " were undone; failures: " + workload.failures()));
            lost.addAll(EndState.lost(options, dataCentres, workload, history));
            List<Sample> samples = workload.samples();
            display.live("checking " + history.size() + " operations");
            long checkNanos = System.nanoTime();
            Verdict verdict = Model.SEQUENTIAL.check(history);
            checkNanos = System.nanoTime() - checkNanos;
            TortureResult result = new TortureResult(
                    options,
                    history,
                    verdict,
                    checkNanos,
                    lost,
                    faults.spans(),
                    Effect.of(faults.spans(), samples, dataCentres.names()),
                    workload.failures(),
                    seconds);
            keepHistory(result);
            draw(new Timeline(dataCentres.names(), samples), faults.spans(), history.size());
            return result;
        }
    }

    private static void replaced(NodeSpec node, DataCentres dataCentres, TableMaker tables) {
        for (int attempt = 0; ; attempt++) {
            try {
                dataCentres.reconnect(node);
                Thread.sleep(LOOK_AFTER_MILLIS); // until then nobody may have noticed
                tables.awaitServed(List.of(Table.NAME));
                return;
            } catch (DriverException e) {
                if (attempt == 3) {
                    throw e;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static String stamp(long epochNanos) {
        return String.format(Locale.ROOT, "%7.1f s  ", (System.nanoTime() - epochNanos) / 1e9);
    }

    private void show(Workload workload, long epochNanos) {
        try {
            while (workload.isOn()) {
                display.live(stamp(epochNanos)
                        + String.format(
                                Locale.ROOT,
                                "%,d reads, %,d writes, %,d failures; %d s to go",
                                workload.count(Sample.What.READ),
                                workload.count(Sample.What.WRITE),
                                workload.count(Sample.What.FAILED),
                                Math.max(
                                        0,
                                        options.length().toSeconds()
                                                - TimeUnit.NANOSECONDS.toSeconds(workload.nanos()))));
                Thread.sleep(LIVE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void draw(Timeline timeline, List<FaultSpan> spans, int operations) {
        String title = String.format(
                Locale.ROOT,
                "meteor torture --seed %d: %,d operations, %d faults",
                options.seed(),
                operations,
                spans.size());
        try {
            Files.writeString(options.timeline(), TimelineSvg.of(timeline, spans, title));
            display.say("the timeline is drawn in " + options.timeline());
        } catch (IOException e) {
            display.say("the timeline could not be drawn in " + options.timeline() + ": " + e.getMessage());
        }
    }

    /** Where it was asked for, and in any case where something is wrong. */
    private void keepHistory(TortureResult result) {
        Path asked = options.history();
        if (asked == null && result.isRight()) {
            return;
        }
        try {
            Path file = asked;
            if (file == null) {
                file = folder.failedHistory();
            }
            try (HistoryWriter writer = HistoryWriter.create(file)) {
                writer.appendAll(result.history());
            }
            display.say("what the sessions saw is in " + file + "; look at it with ./meteor check " + file);
        } catch (IOException e) {
            display.say("what the sessions saw could not be kept: " + e.getMessage() + "\n"
                    + CheckReport.of(result.history(), result.verdict(), 0));
        }
    }
}
