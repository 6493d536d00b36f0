/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.nio.file.Path;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.rivals.ScalarDbProcess;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionStores;
import org.meteorshower.lab.transactions.model.ModelStore;

/** The store of each engine that a plan may name: on nodes, or a model in memory. */
final class EngineStores {
    private EngineStores() {}

    /**
     * A store, not created yet.
     *
     * @param keyspace exists
     * @param table of its own
     */
    static TransactionStore of(
            TransactionEngine engine,
            Installation installation,
            LocalCluster cluster,
            DataCentres dataCentres,
            String keyspace,
            String table,
            Progress progress) {
        return switch (engine) {
            case CATENAE -> TransactionStores.catenae(dataCentres, keyspace, table);
            case ACCORD -> TransactionStores.accord(dataCentres, keyspace, table);
            case LWT -> TransactionStores.lwt(dataCentres, keyspace, table);
            case LOCKING ->
                new ModelStore(
                        ModelStore.Control.LOCKING,
                        dataCentres.names(),
                        cluster.wan().file());
            case OPTIMISTIC ->
                new ModelStore(
                        ModelStore.Control.OPTIMISTIC,
                        dataCentres.names(),
                        cluster.wan().file());
            case SCALARDB -> {
                Path logs = cluster.folder();
                yield TransactionStores.scalarDb(
                        dataCentres, cluster.nodes(), table, ScalarDbProcess.starter(installation, logs, progress));
            }
        };
    }
}
