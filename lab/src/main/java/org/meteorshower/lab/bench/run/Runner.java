/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.SessionToken;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.load.DataCentres;

/** Does runs on one cluster whose tables exist. Each run has rows of its own. For one thread. */
final class Runner {
    /** A write takes a round trip, so many are under way at a time. */
    private static final int LOADERS = 96;

    private final DataCentres dataCentres;
    private final String keyspace;
    private final List<Long> nodePids;
    private final TrafficMeter meter;
    private final int historyLimit;
    private final SplittableRandom random;
    private final Map<SystemSpec, Clients> clients = new HashMap<>();
    private final Map<SystemSpec, Integer> nextRow = new HashMap<>();

    /**
     * @param plugin whether the nodes have it
     * @param historyLimit operations of a run that are kept for the checker at most; 0: no check
     */
    Runner(DataCentres dataCentres, String keyspace, List<Long> nodePids, boolean plugin, int historyLimit, long seed) {
        this.dataCentres = dataCentres;
        this.keyspace = keyspace;
        this.nodePids = nodePids;
        meter = new TrafficMeter(dataCentres, plugin);
        this.historyLimit = historyLimit;
        random = new SplittableRandom(seed);
    }

    /** Throws {@link org.meteorshower.lab.cluster.ClusterException} where rows cannot even be written. */
    RunResult run(PlannedRun run, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        SystemSpec system = run.system();
        boolean checked = system.isJudged() && historyLimit > 0;
        HistoryBook book = new HistoryBook(checked ? historyLimit : 0);
        List<List<Slot>> sessions = sessions(run, book);
        Measurement measurement = Load.measurement(warmUpSeconds, seconds);
        Generator generator = Load.generator(run.workload(), sessions, measurement, random.split());
        Sitting sitting = new Sitting(measurement, generator, nodePids, meter, watcher);
        sitting.run();
        RunResult.@Nullable Check check = checked && !sitting.isUnanswered() ? Checking.check(system, book) : null;
        return RunResult.of(run, seconds, sitting, measurement, measurement.served(), check, null);
    }

    private List<List<Slot>> sessions(PlannedRun run, HistoryBook book) {
        WorkloadSpec workload = run.workload();
        Clients made = clients.computeIfAbsent(run.system(), system -> new Clients(dataCentres, keyspace, system));
        int firstRow = nextRow.merge(run.system(), workload.rows(), Math::addExact) - workload.rows();
        List<RowClient> loaders = made.loaders(Math.min(LOADERS, workload.rows()));
        new Loader(book, firstRow, workload.rows(), workload.valueBytes()).load(loaders);
        List<SessionToken> seen = Clients.seen(loaders);
        RowChooser rows = RowChooser.of(workload.rows(), workload.zipfian());
        List<List<Slot>> sessions = new ArrayList<>();
        for (String dc : dataCentres.names()) {
            List<Slot> here = new ArrayList<>();
            for (int i = 0; i < workload.sessionsPerDc(); i++) {
                here.add(new Slot(
                        made.client(dc, seen),
                        dc,
                        book.page(dc + "-" + i),
                        rows,
                        firstRow,
                        workload.readShare(),
                        workload.valueBytes(),
                        random.split(),
                        ForkJoinPool.commonPool()));
            }
            sessions.add(here);
        }
        return sessions;
    }
}
