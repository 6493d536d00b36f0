/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.transactions.Request;

/**
 * What to do to whom, for how long, while transactions run. Immutable, checked when made.
 *
 * @param seed decides faults, their order and their lengths, and what the clients ask for
 * @param rate transactions a second at most, in all
 */
record TransactionTortureOptions(
        ClusterOptions cluster,
        Duration length,
        long seed,
        List<FaultKind> faults,
        int clients,
        int rows,
        double rate,
        @Nullable Path json,
        Path timeline,
        @Nullable Path history) {

    private static final int MOST_ROWS = 64;

    TransactionTortureOptions {
        faults = List.copyOf(faults);
        require(length.toSeconds() >= 20 && length.toHours() <= 24, "--minutes must be 0.4 to 1440");
        require(clients >= 1 && clients <= 1_000, "--clients must be 1 to 1000, not " + clients);
        require(
                rows >= Request.ROWS_OF_AN_ORDER && rows <= MOST_ROWS,
                "--rows must be " + Request.ROWS_OF_AN_ORDER + " to " + MOST_ROWS
                        + ", since a snapshot reads them all: not " + rows);
        require(rate >= 1 && rate <= 1e6, "--rate must be 1 to 1000000, not " + rate);
        require(!faults.isEmpty(), "--faults names no fault");
        require(
                cluster.dcs().size() >= 3 || cluster.nodesPerDc() >= 3,
                "faults strike one data centre, or one node of a data centre, at a time, and a majority must be left:"
                        + " give --dcs three names at least, or --nodes 3");
    }

    TransactionClients load() {
        return new TransactionClients(seed, clients, rows, rate);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
