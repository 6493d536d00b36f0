/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.nio.file.Path;
import org.meteorshower.lab.Installation;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.rivals.ScalarDbProcess;
import org.meteorshower.lab.transactions.model.ModelStore;

/** The stores of the systems. */
public final class TransactionStores {
    private TransactionStores() {}

    /** Transactions on Cassandra 5.0 with the plugin, as in {@link #of}. */
    public static TransactionStore catenae(DataCentres dataCentres, String keyspace, String table) {
        return CqlStore.catenae(dataCentres, keyspace, table);
    }

    /**
     * A store, not created yet.
     *
     * @param keyspace exists
     * @param table of its own
     */
    public static TransactionStore of(
            TransactionEngine engine,
            Installation installation,
            LocalCluster cluster,
            DataCentres dataCentres,
            String keyspace,
            String table,
            Progress progress) {
        return switch (engine) {
            case CATENAE -> CqlStore.catenae(dataCentres, keyspace, table);
            case ACCORD -> CqlStore.accord(dataCentres, keyspace, table);
            case LWT -> new LwtStore(dataCentres, keyspace, table);
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
                yield new ScalarDbStore(
                        dataCentres, cluster.nodes(), table, ScalarDbProcess.starter(installation, logs, progress));
            }
        };
    }
}
