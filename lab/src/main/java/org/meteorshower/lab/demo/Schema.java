/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes the demo's tables, as anybody would with cqlsh. */
final class Schema {
    static final String KEYSPACE = "demo";

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 100;

    private final Connections connections;
    private final List<Mode> modes;

    Schema(Connections connections, List<Mode> modes) {
        this.connections = connections;
        this.modes = modes;
    }

    /** Returns when the tables exist and every data centre serves the enabled ones; throws {@link DemoException}. */
    void create() {
        try {
            CqlSession session = connections.session(connections.dcs().get(0));
            session.execute("CREATE KEYSPACE " + KEYSPACE + " WITH replication = {'class': 'NetworkTopologyStrategy', "
                    + connections.dcs().stream().map(dc -> "'" + dc + "': 1").collect(Collectors.joining(", ")) + "}");
            for (String table : tables(false)) {
                session.execute("CREATE TABLE " + KEYSPACE + "." + table + " (id int PRIMARY KEY, value text)");
            }
            awaitAgreement();
            Set<String> served = tables(true);
            for (String table : served) {
                session.execute("INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES ('"
                        + KEYSPACE + "', '" + table + "', '')");
            }
            awaitAgreement();
            for (String dc : connections.dcs()) {
                until(() -> notReady(dc, served));
            }
        } catch (DriverException e) {
            throw new DemoException("the tables could not be made: " + e.getMessage(), e);
        }
        connections.prepare(modes);
    }

    /** Not left to the driver, which does not ask nodes of other data centres. */
    private void awaitAgreement() {
        until(() -> versions().size() == 1 ? "" : "the nodes do not agree on the schema");
    }

    private Set<UUID> versions() {
        Set<UUID> versions = new HashSet<>();
        for (String dc : connections.dcs()) {
            Row local = connections
                    .session(dc)
                    .execute("SELECT schema_version FROM system.local")
                    .one();
            if (local != null) {
                versions.add(local.getUuid(0));
            }
        }
        return versions;
    }

    private Set<String> tables(boolean servedOnly) {
        return modes.stream()
                .filter(mode -> mode.isServed() || !servedOnly)
                .map(Mode::table)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Waits until there is no obstacle any more. */
    private static void until(Supplier<String> obstacle) {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        for (String found = obstacle.get(); !found.isEmpty(); found = obstacle.get()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new DemoException("after " + READY_LIMIT.toSeconds() + " s " + found);
            }
            sleep();
        }
    }

    /** Which tables are missing, and what the node says about them. */
    private String notReady(String dc, Set<String> tables) {
        if (tables.isEmpty()) {
            return "";
        }
        Set<String> missing = new LinkedHashSet<>(tables);
        StringBuilder states = new StringBuilder();
        for (Row row : connections
                .session(dc)
                .execute("SELECT table_name, ready, state FROM meteorshower.tables WHERE keyspace_name = '" + KEYSPACE
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

    private static void sleep() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoException("interrupted while the tables were made", e);
        }
    }
}
