/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.List;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.rivals.ScalarDbProcess;

/** The stores of systems that run on real nodes; none is created yet. The keyspace exists, the table is of its own. */
public final class TransactionStores {
    private TransactionStores() {}

    /** Transactions on Cassandra 5.0 with the plugin. */
    public static TransactionStore catenae(DataCentres dataCentres, String keyspace, String table) {
        return CqlStore.catenae(dataCentres, keyspace, table);
    }

    /** Transactions of Cassandra 6. */
    public static TransactionStore accord(DataCentres dataCentres, String keyspace, String table) {
        return CqlStore.accord(dataCentres, keyspace, table);
    }

    /** Conditional batches within one partition. */
    public static TransactionStore lwt(DataCentres dataCentres, String keyspace, String table) {
        return new LwtStore(dataCentres, keyspace, table);
    }

    /** Transactions of ScalarDB; starts a process of it in each data centre. */
    public static TransactionStore scalarDb(
            DataCentres dataCentres, List<NodeSpec> nodes, String table, ScalarDbProcess.Starter starter) {
        return new ScalarDbStore(dataCentres, nodes, table, starter);
    }
}
