/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Waiting;

/** Makes a keyspace with as many replicas in each data centre, tables in it, and enables them. For one thread. */
public final class TableMaker {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final DataCentres dataCentres;
    private final String keyspace;
    private final int replicasPerDc;

    /** One replica in each data centre. */
    public TableMaker(DataCentres dataCentres, String keyspace) {
        this(dataCentres, keyspace, 1);
    }

    public TableMaker(DataCentres dataCentres, String keyspace, int replicasPerDc) {
        this.dataCentres = dataCentres;
        this.keyspace = keyspace;
        this.replicasPerDc = replicasPerDc;
    }

    /**
     * Makes tables of the columns {@code id int PRIMARY KEY, value text}; returns when every data centre knows them all
     * and serves the enabled ones.
     *
     * @param enabled those of the tables to enable
     * @throws ClusterException if that fails, or takes longer than a minute
     */
    public void create(Collection<String> tables, Collection<String> enabled) {
        Map<String, String> options = new LinkedHashMap<>();
        enabled.forEach(table -> options.put(table, ""));
        create(tables, options);
    }

    /**
     * The same with options for the tables.
     *
     * @param enabled those of the tables to enable, each with its options as {@code meteorshower.tables} takes them
     */
    public void create(Collection<String> tables, Map<String, String> enabled) {
        try {
            CqlSession session = dataCentres.session(dataCentres.names().get(0));
            createKeyspace();
            for (String table : tables) {
                session.execute("CREATE TABLE " + keyspace + "." + table + " (id int PRIMARY KEY, value text)");
            }
            awaitAgreement();
            enabled.forEach((table, options) ->
                    session.execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES ('"
                            + keyspace + "', '" + table + "', '" + options + "')"));
            awaitAgreement();
            awaitServed(enabled.keySet());
        } catch (DriverException e) {
            throw new ClusterException("the tables could not be made: " + e.getMessage(), e);
        }
    }

    /** The keyspace alone. Throws the driver's exceptions. */
    public void createKeyspace() {
        dataCentres
                .session(dataCentres.names().get(0))
                .execute("CREATE KEYSPACE " + keyspace + " WITH replication = {'class': 'NetworkTopologyStrategy', "
                        + dataCentres.names().stream()
                                .map(dc -> "'" + dc + "': " + replicasPerDc)
                                .collect(Collectors.joining(", "))
                        + "}");
    }

    /** Waits until every data centre serves these enabled tables. Throws {@link ClusterException} after a minute. */
    public void awaitServed(Collection<String> enabled) {
        for (String dc : dataCentres.names()) {
            until(() -> notReady(dc, enabled));
        }
    }

    /** Not left to the driver, which does not ask nodes of other data centres. */
    private void awaitAgreement() {
        until(() -> versions().size() == 1 ? "" : "the nodes do not agree on the schema");
    }

    private Set<UUID> versions() {
        Set<UUID> versions = new HashSet<>();
        for (String dc : dataCentres.names()) {
            Row local = dataCentres
                    .session(dc)
                    .execute("SELECT schema_version FROM system.local")
                    .one();
            if (local != null) {
                versions.add(local.getUuid(0));
            }
        }
        return versions;
    }

    /** Waits until there is no obstacle any more. */
    private static void until(Supplier<String> obstacle) {
        Waiting.untilClear(READY_LIMIT, PAUSE, obstacle);
    }

    /** Which tables are missing, and what the node says about them. */
    private String notReady(String dc, Collection<String> tables) {
        if (tables.isEmpty()) {
            return "";
        }
        Set<String> missing = new LinkedHashSet<>(tables);
        StringBuilder states = new StringBuilder();
        for (Row row : dataCentres
                .session(dc)
                .execute("SELECT table_name, ready, state FROM meteorshower.tables WHERE keyspace_name = '" + keyspace
                        + "'")) {
            String table = row.getString("table_name");
            if (row.getBoolean("ready")) {
                missing.remove(table);
            } else {
                states.append("; ").append(table).append(": ").append(row.getString("state"));
            }
        }
        return missing.isEmpty() ? "" : dc + " does not serve " + String.join(", ", missing) + states;
    }
}
