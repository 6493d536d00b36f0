/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.tpcc.Audit;
import org.meteorshower.lab.tpcc.Conditions;
import org.meteorshower.lab.tpcc.Inputs;
import org.meteorshower.lab.tpcc.Ledger;
import org.meteorshower.lab.tpcc.Population;
import org.meteorshower.lab.tpcc.Terminal;
import org.meteorshower.lab.tpcc.TpccStore;

/**
 * Does runs of TPC-C of one system. The tables of a scale are made and loaded before its first run; later runs go on
 * with what the earlier ones left. For one thread.
 */
final class TpccRunner implements AutoCloseable {
    /** Longer than the time-outs of all systems. */
    private static final Duration SETTLE = Duration.ofSeconds(6);

    /** Of the constants of the distributions: rows are loaded once for all runs. */
    private static final long CONSTANTS = 5;

    private final List<String> dcs;
    private final Function<TpccSpec, TpccStore> maker;
    private final List<Long> nodePids;
    private final int historyLimit;
    private final Progress progress;
    private final SplittableRandom random;
    private final Set<String> dead = ConcurrentHashMap.newKeySet();
    private final Map<TpccSpec, Loaded> loaded = new HashMap<>();

    /** A store with its first rows, and what clients were told since. */
    private record Loaded(TpccStore store, Ledger ledger, Inputs inputs) {}

    /**
     * @param maker of a store that has no tables yet
     * @param historyLimit 0: the conditions are not looked at
     */
    TpccRunner(
            List<String> dcs,
            Function<TpccSpec, TpccStore> maker,
            List<Long> nodePids,
            int historyLimit,
            long seed,
            Progress progress) {
        this.dcs = dcs;
        this.maker = maker;
        this.nodePids = nodePids;
        this.historyLimit = historyLimit;
        this.progress = progress;
        random = new SplittableRandom(seed);
    }

    /** Throws {@link ClusterException} where rows cannot even be written, or read in the end. */
    RunResult run(PlannedRun run, TpccSpec spec, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        // Whether terminals think makes no other tables.
        Loaded tables = loaded.computeIfAbsent(new TpccSpec(spec.scale(), false, spec.near()), this::load);
        Measurement measurement = Load.measurement(warmUpSeconds, seconds);
        TpccTally tally = new TpccTally(measurement, dcs);
        Generator generator = Load.generator(
                run.workload(), sessions(run.workload(), spec, tables, tally), measurement, random.split());
        Sitting sitting = new Sitting(measurement, generator, nodePids, null, watcher);
        sitting.run();
        if (!measurement.failures().isEmpty()) {
            // What did not answer may still be on its way, and would change rows while they are read.
            Waiting.pause(SETTLE);
        }
        RunResult.Check check = historyLimit == 0 ? null : check(tables);
        return RunResult.of(run, seconds, sitting, measurement, Map.of(), check, tally.figures());
    }

    private Loaded load(TpccSpec spec) {
        long start = System.nanoTime();
        TpccStore store = maker.apply(spec);
        try {
            int warehouses = spec.scale().warehousesPerDc() * dcs.size();
            store.create(new Population(spec.scale(), warehouses, CONSTANTS, System.currentTimeMillis()));
            progress.say(String.format(Locale.ROOT, "TPC-C is loaded after %.1f s", (System.nanoTime() - start) / 1e9));
            List<String> broken = Conditions.broken(store.audit());
            if (!broken.isEmpty()) {
                throw new ClusterException("what was loaded is wrong: " + String.join("\n", broken));
            }
            return new Loaded(store, new Ledger(spec.scale()), new Inputs(spec.scale(), warehouses, CONSTANTS));
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static RunResult.Check check(Loaded tables) {
        long start = System.nanoTime();
        Audit audit = tables.store().audit();
        List<String> findings = new ArrayList<>(Conditions.broken(audit));
        findings.addAll(tables.ledger().broken(audit));
        return new RunResult.Check(
                "TPC-C " + Conditions.NAMES,
                findings.isEmpty() ? "consistent" : "violation",
                findings.isEmpty()
                        ? "all conditions hold, and what was acknowledged is there, once"
                        : String.join("\n", findings),
                audit.size(),
                (System.nanoTime() - start) / 1e9);
    }

    private List<List<TpccSession>> sessions(WorkloadSpec workload, TpccSpec spec, Loaded tables, TpccTally tally) {
        List<List<TpccSession>> sessions = new ArrayList<>();
        int perDc = spec.scale().warehousesPerDc();
        for (int dc = 0; dc < dcs.size(); dc++) {
            Terminal terminal = new Terminal(tables.store().client(dcs.get(dc)), tables.ledger());
            List<TpccSession> here = new ArrayList<>();
            for (int i = 0; i < workload.sessionsPerDc(); i++) {
                int warehouse = dc * perDc + i % perDc + 1;
                int district = i / perDc % spec.scale().districts() + 1;
                here.add(new TpccSession(
                        new TpccSession.Place(dcs.get(dc), warehouse, district),
                        terminal,
                        tables.inputs(),
                        spec.thinking(),
                        tally,
                        random.split(),
                        ForkJoinPool.commonPool(),
                        dead::contains));
            }
            sessions.add(here);
        }
        return sessions;
    }

    /** From now on the clients of this data centre do nothing. Any thread. */
    void died(String dc) {
        dead.add(dc);
    }

    @Override
    public void close() {
        loaded.values().forEach(each -> each.store().close());
    }
}
