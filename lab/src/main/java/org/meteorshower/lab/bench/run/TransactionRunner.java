/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.transactions.TransactionLog;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionVerdict;

/** Does runs of transactions of one system. Each run has rows of its own. For one thread. */
final class TransactionRunner implements AutoCloseable {
    /** Runs begin at whole groups of rows, of every system. */
    private static final int ALIGNMENT = 100;

    /** Longer than the time-outs of all systems. */
    private static final long SETTLE_MILLIS = 6_000;

    private final DataCentres dataCentres;
    private final TransactionStore store;
    private final List<Long> nodePids;
    private final int historyLimit;
    private final SplittableRandom random;
    private final Set<String> dead = ConcurrentHashMap.newKeySet();
    private int nextRow;
    private int runs;

    /** @param historyLimit transactions of a run that are kept for the checker at most; 0: no check */
    TransactionRunner(
            DataCentres dataCentres, TransactionStore store, List<Long> nodePids, int historyLimit, long seed) {
        this.dataCentres = dataCentres;
        this.store = store;
        this.nodePids = nodePids;
        this.historyLimit = historyLimit;
        random = new SplittableRandom(seed);
    }

    /** Throws {@link ClusterException} where rows cannot even be written, or read in the end. */
    RunResult run(PlannedRun run, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        WorkloadSpec workload = run.workload();
        int firstRow = nextRow;
        nextRow += (workload.rows() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        runs++;
        store.load(firstRow, workload.rows());
        TransactionLog log = new TransactionLog(historyLimit);
        Measurement measurement = Load.measurement(warmUpSeconds, seconds);
        TransactionTally tally = new TransactionTally(measurement, dataCentres.names());
        Generator generator =
                Load.generator(workload, sessions(workload, firstRow, log, tally), measurement, random.split());
        Sitting sitting = new Sitting(measurement, generator, nodePids, null, watcher);
        sitting.run();
        if (measurement.failures().containsKey(Op.WRITE)) {
            // What did not answer may still be on its way, and would move money between two looks at the accounts.
            settle();
        }
        TransactionVerdict verdict = historyLimit > 0 && log.isComplete()
                ? TransactionVerdict.of(log.all(), store.audit(living(), firstRow, workload.rows()))
                : null;
        return RunResult.of(
                run,
                seconds,
                sitting,
                measurement,
                Map.of(),
                check(verdict),
                tally.figures(verdict == null ? List.of() : verdict.history()));
    }

    /** From now on the clients of this data centre do nothing. Any thread. */
    void died(String dc) {
        dead.add(dc);
    }

    private String living() {
        return dataCentres.names().stream()
                .filter(dc -> !dead.contains(dc))
                .findFirst()
                .orElseThrow(() -> new ClusterException("no data centre lives"));
    }

    private static void settle() {
        try {
            Thread.sleep(SETTLE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while measuring", e);
        }
    }

    private RunResult.@Nullable Check check(@Nullable TransactionVerdict verdict) {
        String model = "strict-serializable";
        if (historyLimit == 0) {
            return null;
        }
        if (verdict == null) {
            return new RunResult.Check(model, "too_long", "more transactions than were to be kept (--check)", 0, 0);
        }
        return new RunResult.Check(
                model,
                verdict.findings().isEmpty() ? "consistent" : "violation",
                verdict.findings().isEmpty()
                        ? "one order in real time holds all, and no money was made or lost"
                        : String.join("\n", verdict.findings()),
                verdict.history().size(),
                verdict.seconds());
    }

    private List<List<TransactionSession>> sessions(
            WorkloadSpec workload, int firstRow, TransactionLog log, TransactionTally tally) {
        TransactionSession.Rows rows = new TransactionSession.Rows(
                RowChooser.of(workload.rows(), workload.zipfian()), firstRow, store.groupSize());
        List<List<TransactionSession>> sessions = new ArrayList<>();
        for (String dc : dataCentres.names()) {
            List<TransactionSession> here = new ArrayList<>();
            for (int i = 0; i < workload.sessionsPerDc(); i++) {
                here.add(new TransactionSession(
                        new TransactionSession.Name(dc, dc + "-" + runs + "-" + i),
                        store.client(dc),
                        workload,
                        rows,
                        log,
                        tally,
                        random.split(),
                        ForkJoinPool.commonPool(),
                        dead::contains));
            }
            sessions.add(here);
        }
        return sessions;
    }

    @Override
    public void close() {
        store.close();
    }
}
