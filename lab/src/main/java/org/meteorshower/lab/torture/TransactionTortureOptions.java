/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

import org.meteorshower.lab.transactions.Request;

/** What to do to whom while transactions run. Immutable, checked when made. */
record TransactionTortureOptions(TortureOptions shared, TortureLoad load) {
    private static final int MOST_ROWS = 64;

    TransactionTortureOptions {
        require(load.clients() >= 1 && load.clients() <= 1_000, "--clients must be 1 to 1000, not " + load.clients());
        require(
                load.rows() >= Request.ROWS_OF_AN_ORDER && load.rows() <= MOST_ROWS,
                "--rows must be " + Request.ROWS_OF_AN_ORDER + " to " + MOST_ROWS
                        + ", since a snapshot reads them all: not " + load.rows());
        require(
                shared.cluster().dcs().size() >= 3 || shared.cluster().nodesPerDc() >= 3,
                "faults strike one data centre, or one node of a data centre, at a time, and a majority must be left:"
                        + " give --dcs three names at least, or --nodes 3");
    }
}
