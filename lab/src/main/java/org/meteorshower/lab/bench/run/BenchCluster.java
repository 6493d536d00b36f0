/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.DriverException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.PlannedRun;
import org.meteorshower.lab.bench.plan.SystemSpec;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.cluster.WanLinks;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;
import org.meteorshower.lab.rivals.Cassandra6;
import org.meteorshower.lab.transactions.EnabledTable;
import org.meteorshower.lab.transactions.RunningNode;
import org.meteorshower.lab.transactions.TransactionStore;

/**
 * One cluster with a table for each system, on which runs are done one after the other, each on its network. It ends
 * with {@link #close}, and with the process. For one thread.
 */
public final class BenchCluster implements AutoCloseable {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(3);
    private static final String KEYSPACE = "bench";

    /** For the nodes to hear of a change of delays, and for what was under way before it to end. */
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LocalCluster cluster;
    private final DataCentres dataCentres;
    private final Runner runner;
    private final Map<SystemSpec, TransactionRunner> transactions = new LinkedHashMap<>();
    private final TpccRuns tpcc;
    private @Nullable NetworkSpec network;

    private BenchCluster(LocalCluster cluster, DataCentres dataCentres, Runner runner, TpccRuns tpcc) {
        this.cluster = cluster;
        this.dataCentres = dataCentres;
        this.runner = runner;
        this.tpcc = tpcc;
    }

    /**
     * Starts nodes, without delays at first, and makes the tables. Nothing is left running where that fails.
     *
     * @param folder missing or empty
     * @param historyLimit operations of a run that are kept for the checker at most; 0: no check
     * @param pids where its nodes' processes are added; all in it count as nodes
     */
    public static BenchCluster start(
            Installation installation,
            Path folder,
            NetworkSpec.Shape shape,
            String firstAddress,
            List<SystemSpec> systems,
            int historyLimit,
            long seed,
            List<Long> pids,
            Progress progress) {
        boolean ours = shape.cassandra().equals(NetworkSpec.OURS);
        LocalCluster cluster = LocalCluster.start(
                installation,
                folder,
                ours ? shape.options(firstAddress) : shape.cassandra6Options(firstAddress, folder),
                ours ? null : Cassandra6.software(installation, progress),
                BOOT_LIMIT,
                progress);
        try {
            DataCentres dataCentres = new DataCentres(
                    cluster.nodes(), DataCentres.PATIENT, systems.stream().anyMatch(SystemSpec::isTransactional));
            try {
                progress.say("making the tables");
                makeTables(dataCentres, shape, systems);
                cluster.nodes().stream().map(NodeSpec::name).map(cluster::pid).forEach(pids::add);
                Runner runner = new Runner(dataCentres, KEYSPACE, pids, shape.plugin(), historyLimit, seed);
                TpccRuns tpcc = new TpccRuns(cluster, dataCentres, KEYSPACE, pids, historyLimit, seed, progress);
                BenchCluster made = new BenchCluster(cluster, dataCentres, runner, tpcc);
                made.addTransactional(installation, systems, pids, historyLimit, seed, progress);
                return made;
            } catch (RuntimeException e) {
                dataCentres.close();
                throw e;
            }
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static void makeTables(DataCentres dataCentres, NetworkSpec.Shape shape, List<SystemSpec> systems) {
        Map<String, String> enabled = new LinkedHashMap<>();
        systems.stream()
                .filter(SystemSpec::isServed)
                .forEach(system -> enabled.put(system.table(), system.tableOptions()));
        new TableMaker(dataCentres, KEYSPACE, shape.replicasPerDc())
                .create(
                        systems.stream()
                                .filter(system -> !system.isTransactional())
                                .map(SystemSpec::table)
                                .toList(),
                        enabled);
        systems.stream().filter(SystemSpec::inTransactions).forEach(system -> enable(dataCentres, system.table()));
    }

    /** Until every data centre takes a transaction on it. */
    private static void enable(DataCentres dataCentres, String table) {
        EnabledTable.enable(dataCentres.session(dataCentres.names().get(0)), KEYSPACE, table);
        for (String dc : dataCentres.names()) {
            EnabledTable.awaitTransactions(dataCentres.session(dc), KEYSPACE, table);
        }
    }

    private void addTransactional(
            Installation installation,
            List<SystemSpec> systems,
            List<Long> pids,
            int historyLimit,
            long seed,
            Progress progress) {
        try {
            for (SystemSpec system : systems) {
                TransactionEngine engine = system.engine();
                if (engine != null) {
                    progress.say("making the table of " + system.name());
                    TransactionStore store = EngineStores.of(
                            engine, installation, cluster, dataCentres, KEYSPACE, system.table(), progress);
                    transactions.put(system, new TransactionRunner(dataCentres, store, pids, historyLimit, seed));
                    store.create();
                }
            }
        } catch (DriverException e) {
            closeTransactions();
            throw new ClusterException("the tables could not be made: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            closeTransactions();
            throw e;
        }
    }

    private void closeTransactions() {
        tpcc.close();
        transactions.values().forEach(TransactionRunner::close);
    }

    /** Does a run for some seconds and forgets it, so that no system is measured on code that never ran. */
    public void heat(PlannedRun run, int seconds, Consumer<Window> watcher) {
        if (on(run, 0, seconds, watcher).isViolation() && run.system().isJudged()) {
            throw new ClusterException("what the sessions of " + run.system().name()
                    + " saw before anything was measured violates what is promised");
        }
    }

    /** Does a run and tells what it gave; throws {@link ClusterException} where it cannot. */
    public RunResult run(PlannedRun run, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        setNetwork(run.network());
        return on(run, warmUpSeconds, seconds, watcher);
    }

    private RunResult on(PlannedRun run, int warmUpSeconds, int seconds, Consumer<Window> watcher) {
        TpccSpec spec = run.workload().tpcc();
        if (spec != null) {
            return tpcc.run(run, spec, warmUpSeconds, seconds, watcher);
        }
        TransactionRunner transactional = transactions.get(run.system());
        return transactional == null
                ? runner.run(run, warmUpSeconds, seconds, watcher)
                : transactional.run(run, warmUpSeconds, seconds, watcher);
    }

    /** Kills the nodes of a data centre, with SIGKILL. */
    public void kill(String dc) {
        transactions.values().forEach(each -> each.died(dc));
        tpcc.died(dc);
        cluster.nodesOf(dc).forEach(cluster::kill);
    }

    /** Kills the node that runs a data centre's transactions, with SIGKILL. Returns its name. */
    public String killRunning(String dc) {
        String node = new RunningNode(dataCentres, cluster).of(dc);
        cluster.kill(node);
        return node;
    }

    private void setNetwork(NetworkSpec wanted) {
        if (wanted.equals(network)) {
            return;
        }
        WanLinks links = new WanLinks(cluster);
        wanted.pairs()
                .forEach(pair -> links.set(pair.a(), pair.b(), pair.delayMillis(), wanted.jitterMillis(), 0, false));
        network = wanted;
        LockSupport.parkNanos(SETTLE_NANOS);
    }

    @Override
    public void close() {
        try {
            closeTransactions();
            dataCentres.close();
        } finally {
            cluster.close();
        }
    }
}
