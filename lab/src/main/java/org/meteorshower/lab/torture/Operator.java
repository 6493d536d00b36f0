/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;

/** What an operator does to the table in cqlsh, as docs/INSTALL.md tells: one node in each data centre. For one thread. */
final class Operator {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String ROW =
            " WHERE keyspace_name = '" + Table.KEYSPACE + "' AND table_name = '" + Table.NAME + "'";

    /** What a node says that waits for a person. */
    private static final String HELD_DATA = "this node held data";

    /** What a node says that has not seen the schema yet. */
    private static final String BEHIND = "has not caught up";

    private final DataCentres dataCentres;
    private final TableMaker tables;
    private final int rows;

    Operator(DataCentres dataCentres, TableMaker tables, int rows) {
        this.dataCentres = dataCentres;
        this.tables = tables;
        this.rows = rows;
    }

    void disable(String dc) {
        patiently(dc, "DELETE FROM meteorshower.tables" + ROW);
    }

    /** Returns when all data centres serve the table again. */
    void enable(String dc) {
        patiently(
                dc,
                "INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('" + Table.KEYSPACE + "', '"
                        + Table.NAME + "')");
        // A repair that begins before all track the table could leave out what one of them takes after it.
        for (String each : dataCentres.names()) {
            awaitState(each);
        }
        repair();
        dataCentres.names().forEach(this::confirmIfAsked);
        tables.awaitServed(List.of(Table.NAME));
    }

    /** For a node that ran without the plugin; returns when all data centres serve the table. */
    void confirm(String dc) {
        awaitState(dc);
        repair();
        confirmIfAsked(dc);
        tables.awaitServed(List.of(Table.NAME));
    }

    void pause(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }

    private void confirmIfAsked(String dc) {
        if (awaitState(dc).startsWith(HELD_DATA)) {
            patiently(dc, "UPDATE meteorshower.tables SET baseline = 'confirmed'" + ROW);
        }
    }

    /** Waits until the data centre's node knows that the table is enabled; returns what it says of it. */
    private String awaitState(String dc) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            String state = stateOf(dc);
            if (!state.isEmpty() && !state.contains(BEHIND)) {
                return state;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new ClusterException(
                        "after " + LIMIT.toSeconds() + " s " + dc + " does not know of the table: " + state);
            }
            pause(PAUSE);
        }
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

    /** In place of a full repair, which it is for so few rows: a read at ALL writes what is newest to all replicas. */
    private void repair() {
        for (int row = 0; row < rows; row++) {
            for (int attempt = 0; ; attempt++) {
                try {
                    dataCentres
                            .session(dataCentres.names().get(0))
                            .execute(Table.select(row).setConsistencyLevel(ConsistencyLevel.ALL));
                    break;
                } catch (DriverException e) {
                    if (attempt == 30) {
                        throw e;
                    }
                    pause(PAUSE);
                }
            }
        }
    }

    /** A node that is back may not have its connections yet. */
    private void patiently(String dc, String statement) {
        for (int attempt = 0; ; attempt++) {
            try {
                dataCentres.session(dc).execute(statement);
                return;
            } catch (DriverException e) {
                if (attempt == 30) {
                    throw e;
                }
                pause(PAUSE);
            }
        }
    }
}
