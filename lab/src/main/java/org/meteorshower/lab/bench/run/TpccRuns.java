/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.tpcc.TpccStore;
import org.meteorshower.lab.tpcc.cql.TpccCql;
import org.meteorshower.lab.tpcc.model.TpccModel;
import org.meteorshower.lab.transactions.model.ModelStore;

/** The runs of TPC-C on one cluster, by system; a system's tables are made when it is first asked. For one thread. */
final class TpccRuns implements AutoCloseable {
    private final LocalCluster cluster;
    private final DataCentres dataCentres;
    private final String keyspace;
    private final List<Long> nodePids;
    private final int historyLimit;
    private final long seed;
    private final Progress progress;
    private final Map<SystemSpec, TpccRunner> runners = new LinkedHashMap<>();
    private int tables;

    /** @param keyspace exists */
    TpccRuns(
            LocalCluster cluster,
            DataCentres dataCentres,
            String keyspace,
            List<Long> nodePids,
            int historyLimit,
            long seed,
            Progress progress) {
        this.cluster = cluster;
        this.dataCentres = dataCentres;
        this.keyspace = keyspace;
        this.nodePids = nodePids;
        this.historyLimit = historyLimit;
        this.seed = seed;
        this.progress = progress;
    }

    RunResult run(PlannedRun run, TpccSpec spec, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        return runners.computeIfAbsent(run.system(), this::runner).run(run, spec, warmUpSeconds, seconds, watcher);
    }

    private TpccRunner runner(SystemSpec system) {
        TransactionEngine engine = system.engine();
        if (engine == null) {
            throw new IllegalArgumentException(system.name() + " runs no transactions");
        }
        return new TpccRunner(
                dataCentres.names(),
                spec -> {
                    progress.say("loading TPC-C into " + system.name() + ": "
                            + spec.scale().text());
                    return store(engine, spec);
                },
                nodePids,
                historyLimit,
                seed,
                progress);
    }

    private TpccStore store(TransactionEngine engine, TpccSpec spec) {
        return switch (engine) {
            case CATENAE -> {
                tables++;
                yield new TpccCql(dataCentres, keyspace, "tpcc" + tables + "_", progress);
            }
            case LOCKING -> model(ModelStore.Control.LOCKING, spec);
            case OPTIMISTIC -> model(ModelStore.Control.OPTIMISTIC, spec);
            case ACCORD, LWT, SCALARDB -> throw new IllegalArgumentException("TPC-C does not run on " + engine.word());
        };
    }

    private TpccStore model(ModelStore.Control control, TpccSpec spec) {
        return new TpccModel(
                control, dataCentres.names(), spec.near(), cluster.wan().file());
    }

    void died(String dc) {
        runners.values().forEach(each -> each.died(dc));
    }

    @Override
    public void close() {
        runners.values().forEach(TpccRunner::close);
    }
}
