/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.transactions.RunningNode;

/** Of a run with transactions: which node of a data centre runs them, and nothing to be done in cqlsh. */
final class TransactionOperator implements Operator {
    private final DataCentres dataCentres;
    private final RunningNode running;

    TransactionOperator(DataCentres dataCentres, LocalCluster cluster) {
        this.dataCentres = dataCentres;
        this.running = new RunningNode(dataCentres, cluster);
    }

    @Override
    public void replaced(NodeSpec node) {
        dataCentres.reconnect(node);
    }

    @Override
    public String runnerOf(String dc) {
        return running.of(dc);
    }
}
