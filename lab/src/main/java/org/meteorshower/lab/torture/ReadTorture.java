/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Verdict;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;

/**
 * A run of reads and writes: what all sessions saw must be sequentially consistent, or linearizable where they read
 * strictly; and no write may be lost.
 */
final class ReadTorture extends Torture<ReadWorkload, ReadTortureResult> {
    private final ReadTortureOptions options;
    private @Nullable Watching watching;

    /** What a watched run has besides. */
    private record Watching(StockClients clients, LiveTables live, OperatorNotes notes, ChangeOperator operator) {
        static Watching of(Scene scene, Consumer<String> say) {
            StockClients clients = new StockClients(scene.cluster().nodes(), scene.clock());
            LiveTables live = new LiveTables(scene.dataCentres(), clients);
            OperatorNotes notes = new OperatorNotes(scene.clock());
            return new Watching(clients, live, notes, new ChangeOperator(scene, clients, live, notes, say));
        }

        void close() {
            operator.close();
            live.close();
            clients.close();
        }
    }

    ReadTorture(Installation installation, ReadTortureOptions options, Display display) {
        super(installation, "torture", options.shared(), display);
        this.options = options;
    }

    @Override
    void createTables(DataCentres dataCentres) {
        List<String> tables = options.watched() ? List.of(RowsTable.NAME, RowsTable.ORDINARY) : List.of(RowsTable.NAME);
        new TableMaker(dataCentres, RowsTable.KEYSPACE).create(tables, Map.of(RowsTable.NAME, options.tableOptions()));
    }

    @Override
    Operator operator(Scene scene) {
        if (options.watched()) {
            Watching begun = Watching.of(scene, line -> say(scene, "  " + line));
            watching = begun;
            return begun.operator();
        }
        return new TableOperator(scene.dataCentres());
    }

    @Override
    ReadWorkload begin(Scene scene) {
        return new ReadWorkload(options, scene.dataCentres(), scene.clock());
    }

    @Override
    ReadTortureResult end(Scene scene, ReadWorkload workload, List<FaultSpan> spans) throws InterruptedException {
        Thread.sleep(CALM.toMillis());
        long seconds = (long) scene.clock().seconds();
        say(scene, "all faults are undone; every session reads every row wherever it can");
        workload.stop();
        History history = workload.history();
        Watch watch = watch(spans);
        List<String> lost = ReadEnd.lost(scene.dataCentres(), workload, history);
        display().live("checking " + history.size() + " operations");
        long begun = System.nanoTime();
        Verdict verdict = options.model().check(history);
        return new ReadTortureResult(
                options,
                history,
                verdict,
                System.nanoTime() - begun,
                lost,
                TortureFigures.of(spans, workload.samples(), scene.dataCentres().names(), workload.failures(), seconds),
                watch);
    }

    private @Nullable Watch watch(List<FaultSpan> spans) throws InterruptedException {
        Watching begun = watching;
        if (begun == null) {
            return null;
        }
        begun.live().close();
        List<StockRequest> requests = begun.clients().stop();
        return new Watch(
                FaultRow.of(spans, requests, begun.notes().all()),
                begun.live().wentBack(),
                begun.clients().lost());
    }

    @Override
    String moreProgress() {
        Watching begun = watching;
        return begun == null ? "" : begun.clients().progress();
    }

    @Override
    void cleanUp() {
        Watching begun = watching;
        if (begun != null) {
            begun.close();
        }
    }

    @Override
    String keepHistory(ReadTortureResult result, Path file) throws IOException {
        try (HistoryWriter writer = HistoryWriter.create(file)) {
            writer.appendAll(result.history());
        }
        return "what the sessions saw is in " + file + "; look at it with ./meteor check " + file;
    }

    @Override
    String title(ReadTortureResult result) {
        return String.format(
                Locale.ROOT,
                "meteor torture --seed %d: %,d operations, %d faults",
                options.shared().seed(),
                result.history().size(),
                result.figures().spans().size());
    }
}
