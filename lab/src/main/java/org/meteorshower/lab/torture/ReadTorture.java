/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Verdict;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;

/**
 * A run of sequential reads and writes: what all sessions saw must be sequentially consistent, and no write may be
 * lost.
 */
final class ReadTorture extends Torture<ReadWorkload, ReadTortureResult> {
    private final ReadTortureOptions options;

    ReadTorture(Installation installation, ReadTortureOptions options, Display display) {
        super(installation, "torture", options.shared(), display);
        this.options = options;
    }

    @Override
    void createTables(DataCentres dataCentres) {
        new TableMaker(dataCentres, RowsTable.KEYSPACE).create(List.of(RowsTable.NAME), List.of(RowsTable.NAME));
    }

    @Override
    Operator operator(Scene scene) {
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
        List<String> lost = ReadEnd.lost(scene.dataCentres(), workload, history);
        display().live("checking " + history.size() + " operations");
        long begun = System.nanoTime();
        Verdict verdict = Model.SEQUENTIAL.check(history);
        return new ReadTortureResult(
                options,
                history,
                verdict,
                System.nanoTime() - begun,
                lost,
                TortureFigures.of(
                        spans, workload.samples(), scene.dataCentres().names(), workload.failures(), seconds));
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
