/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.TransactionHistoryFile;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionStores;
import org.meteorshower.lab.transactions.TransactionVerdict;

/** One run: nodes, clients of transactions, faults, verdict. For one thread; the nodes end with it. */
final class TransactionTorture {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final long LIVE_MILLIS = 1_000;
    private static final String KEYSPACE = "torture";
    private static final String NAME = "accounts";

    /** As transactions and the transport warn of bytes that they cannot read. */
    private static final Pattern NONSENSE = Pattern.compile("sent (what|bytes that) makes? no sense");

    private static final String TABLE = KEYSPACE + "." + NAME;

    private final Installation installation;
    private final TransactionTortureOptions options;
    private final RunFolder folder;
    private final Display display;

    TransactionTorture(Installation installation, TransactionTortureOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        folder = new RunFolder(installation, "torture-transactions");
        this.display = display;
    }

    /** Throws {@link ClusterException} where it cannot go on; nothing is left running then. */
    TransactionTortureResult run() throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(
                installation, folder.claim(options.cluster()), options.cluster(), BOOT_LIMIT, display::say);
        try (DataCentres dataCentres = new DataCentres(cluster.nodes(), REQUEST_LIMIT)) {
            CqlSession session = dataCentres.session(dataCentres.names().get(0));
            String replicas = dataCentres.names().stream()
                    .map(dc -> "'" + dc + "': " + Math.min(3, options.cluster().nodesPerDc()))
                    .collect(Collectors.joining(", "));
            session.execute("CREATE KEYSPACE " + KEYSPACE + " WITH replication = {'class': 'NetworkTopologyStrategy', "
                    + replicas + "}");
            try (TransactionStore store = TransactionStores.catenae(dataCentres, KEYSPACE, NAME)) {
                store.create();
                store.load(0, options.rows());
            }
            return torture(cluster, dataCentres);
        } finally {
            display.live("stopping the nodes");
            cluster.close();
        }
    }

    private TransactionTortureResult torture(LocalCluster cluster, DataCentres dataCentres)
            throws InterruptedException {
        long epochNanos = System.nanoTime();
        FaultPlan plan = new FaultPlan(options.seed(), dataCentres.names(), options.faults());
        try (TransactionWorkload workload = new TransactionWorkload(options.load(), dataCentres, TABLE, epochNanos)) {
            FaultRunner faults = new FaultRunner(
                    cluster,
                    plan,
                    epochNanos,
                    dataCentres::reconnect,
                    new Runners(dataCentres, cluster)::of,
                    new Operator(dataCentres, new TableMaker(dataCentres, KEYSPACE), 0),
                    line -> display.say(stamp(epochNanos) + line));
            Thread live = new Thread(() -> show(workload, epochNanos), "torture-live");
            live.setDaemon(true);
            live.start();
            faults.run(epochNanos + options.length().toNanos());
            display.say(
                    stamp(epochNanos) + "all faults are undone; every data centre must serve, and all be in one state");
            TransactionEnd end = new TransactionEnd(dataCentres, TABLE, options.rows());
            List<String> wrong = new ArrayList<>(end.stuck());
            Thread.sleep(TimeUnit.SECONDS.toMillis(3));
            workload.stop();
            live.interrupt();
            long seconds = TimeUnit.NANOSECONDS.toSeconds(workload.nanos());
            List<Account> rows = end.rows(wrong);
            wrong.addAll(end.differing());
            wrong.addAll(nonsense(cluster));
            return judge(dataCentres, workload, faults.spans(), rows == null ? List.of() : rows, wrong, seconds);
        }
    }

    /** What nodes could not read of each other: nothing that is done to them here makes them say what makes no sense, be they of different versions. */
    private static List<String> nonsense(LocalCluster cluster) {
        List<String> nonsense = new ArrayList<>();
        for (NodeSpec node : cluster.nodes()) {
            try (Stream<String> lines = Files.lines(cluster.systemLog(node.name()))) {
                lines.filter(line -> NONSENSE.matcher(line).find())
                        .findFirst()
                        .ifPresent(line -> nonsense.add("node " + node.name() + " could not read another: " + line));
            } catch (IOException | UncheckedIOException e) {
                nonsense.add("the log of node " + node.name() + " cannot be read: " + e);
            }
        }
        return nonsense;
    }

    private TransactionTortureResult judge(
            DataCentres dataCentres,
            TransactionWorkload workload,
            List<FaultSpan> spans,
            List<Account> rows,
            List<String> wrong,
            long seconds) {
        List<Sample> samples = workload.samples();
        display.live("checking " + samples.size() + " transactions");
        Map<TransactionOutcome.Status, Long> counts = new EnumMap<>(TransactionOutcome.Status.class);
        for (TransactionOutcome.Status status : TransactionOutcome.Status.values()) {
            counts.put(status, workload.count(status));
        }
        TransactionTortureResult result = new TransactionTortureResult(
                options,
                TransactionVerdict.of(workload.recorded(), workload.seenSnapshots(), rows),
                wrong,
                counts,
                workload.snapshots(),
                spans,
                Effect.of(spans, samples, dataCentres.names()),
                workload.failures(),
                seconds);
        keepHistory(result);
        draw(new Timeline(dataCentres.names(), samples), spans, samples.size());
        return result;
    }

    private static String stamp(long epochNanos) {
        return String.format(Locale.ROOT, "%7.1f s  ", (System.nanoTime() - epochNanos) / 1e9);
    }

    private void show(TransactionWorkload workload, long epochNanos) {
        try {
            while (workload.isOn()) {
                display.live(stamp(epochNanos)
                        + String.format(
                                Locale.ROOT,
                                "%,d committed, %,d snapshots, %,d certainly not, %,d unknown; %d s to go",
                                workload.count(TransactionOutcome.Status.COMMIT),
                                workload.snapshots(),
                                workload.count(TransactionOutcome.Status.ABORT),
                                workload.count(TransactionOutcome.Status.UNKNOWN),
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
                "meteor torture transactions --seed %d: %,d transactions, %d faults; snapshots are the reads without a wait",
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
    private void keepHistory(TransactionTortureResult result) {
        Path asked = options.history();
        if (asked == null && result.isRight()) {
            return;
        }
        Path file = asked == null ? folder.failedHistory() : asked;
        try {
            TransactionHistoryFile.write(result.verdict().history(), file);
            display.say("what the clients saw: ./meteor check --model strict-serializable " + file);
        } catch (IOException e) {
            display.say("what the clients saw could not be kept in " + file + ": " + e.getMessage());
        }
    }
}
