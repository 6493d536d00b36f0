/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;

/**
 * Of a run of reads: what an operator does to the table in cqlsh, as docs/INSTALL.md tells: one node in each data
 * centre.
 */
final class TableOperator implements Operator {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int ATTEMPTS = 31;

    /** Before that nobody may have noticed that a node was replaced. */
    private static final Duration LOOK_AFTER = Duration.ofSeconds(3);

    private static final int ATTEMPTS_TO_LOOK = 4;
    private static final String ROW =
            " WHERE keyspace_name = '" + RowsTable.KEYSPACE + "' AND table_name = '" + RowsTable.NAME + "'";

    /** What a node says that has not seen the schema yet. */
    private static final String BEHIND = "has not caught up";

    private final DataCentres dataCentres;
    private final TableMaker tables;

    TableOperator(DataCentres dataCentres) {
        this.dataCentres = dataCentres;
        tables = new TableMaker(dataCentres, RowsTable.KEYSPACE);
    }

    @Override
    public void replaced(NodeSpec node) {
        patiently(ATTEMPTS_TO_LOOK, Duration.ZERO, () -> {
            dataCentres.reconnect(node);
            Waiting.pause(LOOK_AFTER);
            awaitServed();
        });
    }

    @Override
    public void disable(String dc) {
        execute(dc, "DELETE FROM meteorshower.tables" + ROW);
    }

    @Override
    public void enable(String dc) {
        switchOn(dc, RowsTable.NAME);
        awaitFilled();
    }

    /** The one statement that enables a table of the run's. */
    void switchOn(String dc, String table) {
        execute(
                dc,
                "INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('" + RowsTable.KEYSPACE + "', '"
                        + table + "')");
    }

    @Override
    public void awaitFilled() {
        dataCentres.names().forEach(this::awaitKnown);
        awaitServed();
    }

    private void awaitServed() {
        tables.awaitServed(List.of(RowsTable.NAME));
    }

    /** Waits until the data centre's node knows that the table is enabled. */
    private void awaitKnown(String dc) {
        Waiting.untilThere(
                LIMIT,
                PAUSE,
                () -> {
                    String state = stateOf(dc);
                    return state.isEmpty() || state.contains(BEHIND) ? null : state;
                },
                () -> dc + " does not know of the table: " + stateOf(dc));
    }

    private String stateOf(String dc) {
        try {
            @Nullable
            Row found = dataCentres
                    .session(dc)
                    .execute("SELECT state FROM meteorshower.tables" + ROW)
                    .one();
            String state = found == null ? null : found.getString(0);
            return state == null ? "" : state;
        } catch (DriverException e) {
            return ""; // the connection is not back yet
        }
    }

    private void execute(String dc, String statement) {
        patiently(ATTEMPTS, PAUSE, () -> dataCentres.session(dc).execute(statement));
    }

    /** A node that is back may not have its connections yet. */
    private static void patiently(int attempts, Duration pause, Runnable step) {
        for (int attempt = 1; ; attempt++) {
            try {
                step.run();
                return;
            } catch (DriverException e) {
                if (attempt == attempts) {
                    throw e;
                }
                Waiting.pause(pause);
            }
        }
    }
}
