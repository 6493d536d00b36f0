/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.ycsb.DataCentreSessions;

/** The table that YCSB's bindings use: made and enabled where it is not. For one thread. */
final class YcsbTable {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Scans are no business of MeteorShower's, and workload E is nothing without them. */
    private static final String OPTIONS = "ranges=cassandra";

    private final DataCentreSessions dataCentres;
    private final CqlSession session;
    private final String keyspace;
    private final String table;

    YcsbTable(DataCentreSessions dataCentres, String keyspace, String table) {
        this.dataCentres = dataCentres;
        this.session = dataCentres.session(dataCentres.names().get(0));
        this.keyspace = keyspace;
        this.table = table;
    }

    /**
     * Makes keyspace and table where they are missing, one replica in each data centre, and enables the table if it
     * shall be; returns when every data centre knows, and serves it. Tells whether the table is new.
     *
     * @throws ClusterException if that fails, or takes longer than a minute
     */
    boolean ensure(int fields, boolean enabled) {
        try {
            boolean made = !isKnown(session);
            if (made) {
                make(fields);
            }
            if (enabled) {
                enable();
            }
            return made;
        } catch (DriverException e) {
            throw new ClusterException(
                    "the table " + keyspace + "." + table + " could not be made: " + e.getMessage(), e);
        }
    }

    private void make(int fields) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', "
                + dataCentres.names().stream()
                        .sorted()
                        .map(dc -> "'" + dc + "': 1")
                        .collect(Collectors.joining(", "))
                + "}");
        session.execute("CREATE TABLE IF NOT EXISTS " + keyspace + "." + table + " (y_id varchar PRIMARY KEY"
                + IntStream.range(0, fields)
                        .mapToObj(field -> ", field" + field + " varchar")
                        .collect(Collectors.joining())
                + ")");
        awaitEverywhere(each -> isKnown(each) && each.checkSchemaAgreement() ? "" : "the table is not known yet");
    }

    private boolean isKnown(CqlSession asked) {
        return asked.execute(
                                "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                                keyspace,
                                table)
                        .one()
                != null;
    }

    private void enable() {
        if (row(session) == null) {
            session.execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES ('" + keyspace
                    + "', '" + table + "', '" + OPTIONS + "')");
        }
        awaitEverywhere(each -> {
            Row row = row(each);
            return row == null
                    ? "the table is not enabled"
                    : row.getBoolean("ready") ? "" : "the table is not served: " + row.getString("state");
        });
    }

    private @Nullable Row row(CqlSession asked) {
        try {
            return asked.execute(SimpleStatement.newInstance(
                            "SELECT ready, state FROM meteorshower.tables WHERE keyspace_name = '" + keyspace
                                    + "' AND table_name = '" + table + "'"))
                    .one();
        } catch (InvalidQueryException e) {
            throw new ClusterException(
                    "a node"
                            + " has no MeteorShower plugin: " + e.getMessage()
                            + "\nInstall it (docs/INSTALL.md), or measure plain Cassandra: --mode local_one, quorum or all",
                    e);
        }
    }

    private interface Obstacle {
        /** Empty where there is none. */
        String in(CqlSession session);
    }

    private void awaitEverywhere(Obstacle obstacle) {
        for (String dc : dataCentres.names()) {
            Waiting.untilClear(READY_LIMIT, PAUSE, () -> {
                String found = obstacle.in(dataCentres.session(dc));
                return found.isEmpty() ? "" : "in data centre " + dc + ": " + found;
            });
        }
    }
}
