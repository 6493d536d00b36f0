/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * One CqlSession for each data centre, which talks to the nodes there and to no others: one connection to a node and one
 * thread, so that the clients take as little as possible from the nodes they share a machine with. Thread-safe.
 */
final class Connections implements AutoCloseable {
    private final Map<String, CqlSession> sessions = new LinkedHashMap<>();
    private final Map<String, Tables> tables = new LinkedHashMap<>();

    /** Connects to the data centres of these nodes. */
    Connections(List<NodeSpec> nodes) {
        DriverConfigLoader config = config();
        try {
            for (NodeSpec node : nodes) {
                sessions.computeIfAbsent(node.dc(), dc -> CqlSession.builder()
                        .withConfigLoader(config)
                        .addContactPoint(new InetSocketAddress(node.address(), NodeSpec.CQL_PORT))
                        .withLocalDatacenter(dc)
                        .build());
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static DriverConfigLoader config() {
        return DriverConfigLoader.programmaticBuilder()
                // Longer than any time-out of Cassandra: what it answers is better than silence.
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(12))
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(12))
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(12))
                .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
                // A killed node is back within seconds in the demo.
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2))
                .build();
    }

    /** Prepares the statements of these modes everywhere. */
    void prepare(List<Mode> modes) {
        sessions.forEach((dc, session) -> tables.put(dc, new Tables(session, modes)));
    }

    List<String> dcs() {
        return List.copyOf(sessions.keySet());
    }

    CqlSession session(String dc) {
        return known(dc, sessions.get(dc));
    }

    Tables tables(String dc) {
        return known(dc, tables.get(dc));
    }

    private static <T> T known(String dc, @Nullable T found) {
        if (found == null) {
            throw new IllegalArgumentException("no connection to data centre " + dc);
        }
        return found;
    }

    /** A session that can move to every data centre and does so when its own is down. */
    MeteorShowerSession newSession(String home) {
        MeteorShowerSessionBuilder builder =
                MeteorShowerSession.builder().failover(true).requireServed(true);
        builder.dataCentre(home, session(home));
        sessions.forEach((dc, session) -> {
            if (!dc.equals(home)) {
                builder.dataCentre(dc, session);
            }
        });
        return builder.build();
    }

    @Override
    public void close() {
        sessions.values().forEach(CqlSession::closeAsync);
        sessions.values().forEach(CqlSession::close);
    }
}
