/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import java.util.Map;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;
import org.meteorshower.lab.transactions.EnabledTable;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionStores;

/** The tables of a phase. Stateless. */
final class SizeTables {
    /** Enabled: sequential reads. */
    static final String SEQUENTIAL = "size.rows";

    /** The same, with few large rows. */
    static final String LARGE = "size.large";

    /** Takes part in transactions. */
    static final String BULK = "size.bulk";

    /** Of the hot mix. */
    static final String ACCOUNTS = "size.accounts";

    static final String KEYSPACE = "size";

    private SizeTables() {}

    /** Throws {@link org.meteorshower.lab.cluster.ClusterException} where that fails. */
    static void create(DataCentres dataCentres, boolean transactions) {
        new TableMaker(dataCentres, KEYSPACE).create(List.of("rows", "large", "bulk"), Map.of("rows", "", "large", ""));
        if (!transactions) {
            return;
        }
        CqlSession session = dataCentres.session(dataCentres.names().get(0));
        EnabledTable.enable(session, KEYSPACE, "bulk");
        try (TransactionStore store = TransactionStores.catenae(dataCentres, KEYSPACE, "accounts")) {
            store.create();
            store.load(0, HotMix.ROWS);
        }
        dataCentres.names().forEach(dc -> EnabledTable.awaitTransactions(dataCentres.session(dc), KEYSPACE, "bulk"));
    }
}
