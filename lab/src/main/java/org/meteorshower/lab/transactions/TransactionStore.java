/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.List;
import org.meteorshower.lab.cluster.ClusterException;

/**
 * One system's rows on a cluster. For one thread, but for the clients. Every method throws {@link ClusterException}.
 */
public interface TransactionStore extends AutoCloseable {
    /** What a row has when it is loaded. */
    long BALANCE = 1_000_000;

    /** The writer of a row that was only loaded. */
    String NOBODY = "-";

    /** Makes the table; returns when all data centres know it. */
    void create();

    /**
     * Writes new rows of {@link #BALANCE}, version 0 and {@link #NOBODY}; returns when whoever reads them finds them.
     */
    void load(int firstRow, int rows);

    /** The client in a data centre. */
    TransactionClient client(String dc);

    /** Which rows may meet in one transaction with this one: so many, from its own group's first on. */
    default int groupSize() {
        return Integer.MAX_VALUE;
    }

    /** The rows as they are once nothing is under way, asked for in this data centre. */
    List<Account> audit(String dc, int firstRow, int rows);

    @Override
    void close();
}
