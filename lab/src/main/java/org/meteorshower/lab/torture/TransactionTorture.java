/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.TransactionHistoryFile;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionStores;
import org.meteorshower.lab.transactions.TransactionVerdict;

/**
 * A run with transactions: what all clients saw must be strictly serializable, no money may be missing, and all data
 * centres must serve and be in one state.
 */
final class TransactionTorture extends Torture<TransactionWorkload, TransactionTortureResult> {
    private static final String KEYSPACE = "torture";
    private static final String NAME = "accounts";
    private static final String TABLE = KEYSPACE + "." + NAME;
    private static final int MOST_REPLICAS_PER_DC = 3;

    /** As transactions and the transport warn of bytes that they cannot read. */
    private static final Pattern NONSENSE = Pattern.compile("sent (what|bytes that) makes? no sense");

    private final TransactionTortureOptions options;

    TransactionTorture(Installation installation, TransactionTortureOptions options, Display display) {
        super(installation, "torture-transactions", options.shared(), display);
        this.options = options;
    }

    @Override
    void createTables(DataCentres dataCentres) {
        int replicas = Math.min(MOST_REPLICAS_PER_DC, options.shared().cluster().nodesPerDc());
        new TableMaker(dataCentres, KEYSPACE, replicas).createKeyspace();
        try (TransactionStore store = TransactionStores.catenae(dataCentres, KEYSPACE, NAME)) {
            store.create();
            store.load(0, options.load().rows());
        }
    }

    @Override
    Operator operator(Scene scene) {
        return new TransactionOperator(scene.dataCentres(), scene.cluster());
    }

    @Override
    TransactionWorkload begin(Scene scene) {
        return new TransactionWorkload(options.load(), scene.dataCentres(), TABLE, scene.clock());
    }

    @Override
    TransactionTortureResult end(Scene scene, TransactionWorkload workload, List<FaultSpan> spans)
            throws InterruptedException {
        say(scene, "all faults are undone; every data centre must serve, and all be in one state");
        TransactionEnd end =
                new TransactionEnd(scene.dataCentres(), TABLE, options.load().rows());
        List<String> wrong = new ArrayList<>(end.stuck());
        Thread.sleep(CALM.toMillis());
        workload.stop();
        long seconds = (long) scene.clock().seconds();
        List<Account> rows = end.rows(wrong);
        wrong.addAll(end.differing());
        wrong.addAll(nonsense(scene.cluster()));
        TortureFigures figures =
                TortureFigures.of(spans, workload.samples(), scene.dataCentres().names(), workload.failures(), seconds);
        display().live("checking " + figures.operations() + " transactions");
        return new TransactionTortureResult(
                options,
                TransactionVerdict.of(workload.recorded(), workload.seenSnapshots(), rows == null ? List.of() : rows),
                wrong,
                counts(workload),
                workload.snapshots(),
                figures);
    }

    private static Map<TransactionOutcome.Status, Long> counts(TransactionWorkload workload) {
        Map<TransactionOutcome.Status, Long> counts = new EnumMap<>(TransactionOutcome.Status.class);
        for (TransactionOutcome.Status status : TransactionOutcome.Status.values()) {
            counts.put(status, workload.count(status));
        }
        return counts;
    }

    /**
     * What nodes could not read of each other: nothing that is done to them here makes them say what makes no sense, be
     * they of different versions.
     */
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

    @Override
    String keepHistory(TransactionTortureResult result, Path file) throws IOException {
        TransactionHistoryFile.write(result.verdict().history(), file);
        return "what the clients saw: ./meteor check --model strict-serializable " + file;
    }

    @Override
    String title(TransactionTortureResult result) {
        return String.format(
                Locale.ROOT,
                "meteor torture transactions --seed %d: %,d transactions, %d faults; snapshots are the reads without a wait",
                options.shared().seed(),
                result.figures().operations(),
                result.figures().spans().size());
    }
}
