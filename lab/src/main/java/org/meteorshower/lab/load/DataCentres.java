/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.lab.cluster.FrugalDriver;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * One CqlSession for each data centre, which talks to the nodes there and to no others: one connection to a node and
 * one thread, so that the clients take as little as possible from the nodes they share a machine with. Thread-safe.
 */
public final class DataCentres implements AutoCloseable {
    /** Longer than any time-out of Cassandra: what it answers is better than silence. */
    public static final Duration PATIENT = Duration.ofSeconds(12);

    private final Map<String, ChangingSession> sessions = new LinkedHashMap<>();
    private final DriverConfigLoader config;

    /**
     * Connects to the data centres of these nodes. Throws the driver's exceptions where one cannot be reached.
     *
     * @param requestLimit how long a request may take before the driver gives it up
     */
    public DataCentres(List<NodeSpec> nodes, Duration requestLimit) {
        this(nodes, requestLimit, false);
    }

    /**
     * The same where time-outs of conditional writes are to be expected: by version 4 of the protocol. Of such a
     * time-out the driver does not read, in version 5, how often others were in the way; it takes these bytes for its
     * next answer, and closes the connection with all that is under way.
     *
     * @param conditional whether to do so
     */
    public DataCentres(List<NodeSpec> nodes, Duration requestLimit, boolean conditional) {
        config = config(requestLimit, conditional);
        try {
            for (NodeSpec node : nodes) {
                sessions.computeIfAbsent(node.dc(), dc -> new ChangingSession(connect(node)));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private CqlSession connect(NodeSpec node) {
        return CqlSession.builder()
                .withConfigLoader(config)
                .addContactPoint(new InetSocketAddress(node.address(), NodeSpec.CQL_PORT))
                .withLocalDatacenter(node.dc())
                .build();
    }

    /** From now on requests to the node's data centre go there: it has replaced the one that was known. */
    public void reconnect(NodeSpec node) {
        ChangingSession session = sessions.get(node.dc());
        if (session == null) {
            throw new IllegalArgumentException("no connection to data centre " + node.dc());
        }
        session.change(connect(node));
    }

    private static DriverConfigLoader config(Duration requestLimit, boolean conditional) {
        ProgrammaticDriverConfigLoaderBuilder builder = FrugalDriver.settings(PATIENT);
        if (conditional) {
            builder.withString(DefaultDriverOption.PROTOCOL_VERSION, DefaultProtocolVersion.V4.name());
        }
        return builder.withDuration(DefaultDriverOption.REQUEST_TIMEOUT, requestLimit)
                // Nodes that were killed are back within seconds.
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2))
                .build();
    }

    public List<String> names() {
        return List.copyOf(sessions.keySet());
    }

    /** Throws IllegalArgumentException where there is no such data centre. */
    public CqlSession session(String dc) {
        ChangingSession found = sessions.get(dc);
        if (found == null) {
            throw new IllegalArgumentException("no connection to data centre " + dc);
        }
        return found.session();
    }

    /** A session that can move to every data centre and does so when its own is down. */
    public MeteorShowerSession newSession(String home) {
        MeteorShowerSessionBuilder builder =
                MeteorShowerSession.builder().failover(true).requireServed(true);
        builder.dataCentre(home, session(home));
        sessions.forEach((dc, session) -> {
            if (!dc.equals(home)) {
                builder.dataCentre(dc, session.session());
            }
        });
        return builder.build();
    }

    @Override
    public void close() {
        sessions.values().forEach(each -> each.session().closeAsync());
        sessions.values().forEach(each -> each.session().close());
    }
}
