/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.lifecycle.Startables;

/**
 * A MeteorShower cluster in containers: a node for each data centre, at distances of your choice.
 *
 * <pre>{@code
 * @Container
 * static final MeteorShowerCluster cluster =
 *         new MeteorShowerCluster(dcs("eu", "us", "asia"), oneWay(ofMillis(50)));
 * }</pre>
 *
 * <p>With the JUnit 5 extension of Testcontainers as above, or with {@link #start} and {@link #close}. The image must
 * be in the Docker engine already: {@code ./meteor image} builds it. What is opened here is closed here. For one thread
 * at a time; the sessions are thread-safe.
 */
public final class MeteorShowerCluster implements Startable {
    /** What {@code ./meteor image} builds. */
    public static final String DEFAULT_IMAGE = "meteorshower:latest";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    private final List<String> dataCentres;
    private final Map<String, NodeContainer> nodes = new LinkedHashMap<>();
    private final Map<String, CqlSession> sessions = new LinkedHashMap<>();
    private String image = DEFAULT_IMAGE;
    private Distances distances;
    private @Nullable Network network;

    /**
     * Starts nothing yet.
     *
     * @param dataCentres their names; a node each
     * @throws IllegalArgumentException if a distance names another data centre
     */
    public MeteorShowerCluster(List<String> dataCentres, Distances distances) {
        this.dataCentres = List.copyOf(dataCentres);
        this.distances = distances;
        distances.text(dataCentres);
    }

    /**
     * The names of data centres. Three or five make sense: a majority of them must be up.
     *
     * @throws IllegalArgumentException if there is none, one is there twice, or is no name of a host
     */
    public static List<String> dcs(String... names) {
        if (names.length == 0) {
            throw new IllegalArgumentException("A cluster needs a data centre");
        }
        if (new LinkedHashSet<>(List.of(names)).size() != names.length) {
            throw new IllegalArgumentException("Two data centres have the same name: " + String.join(", ", names));
        }
        for (String name : names) {
            if (!name.matches("[a-z][a-z0-9_-]{0,30}")) {
                throw new IllegalArgumentException("'" + name
                        + "' is no name for a data centre here: it begins with a letter from a to z, and goes on with at"
                        + " most 30 of these, digits, - and _");
            }
        }
        return List.of(names);
    }

    /** The same distance between all data centres, one way; {@link Distances#and} changes single ones. */
    public static Distances oneWay(Duration all) {
        return Distances.oneWay(all);
    }

    /** Another image than {@link #DEFAULT_IMAGE}, made by {@code ./meteor image TAG}. To be called before the start. */
    public MeteorShowerCluster withImage(String name) {
        this.image = name;
        return this;
    }

    /**
     * Returns when all nodes take clients, and know each other, and the distances are in force. Does nothing where it
     * runs.
     *
     * @throws RuntimeException if the image is not there, or a node does not come up within some minutes; its message
     *     or cause says which, and nothing is left
     */
    @Override
    public void start() {
        if (network != null) {
            return;
        }
        Network shared = Network.newNetwork();
        network = shared;
        try {
            for (String dataCentre : dataCentres) {
                nodes.put(dataCentre, new NodeContainer(image, shared, dataCentre, String.join(",", dataCentres)));
            }
            Startables.deepStart(nodes.values()).join();
            for (String dataCentre : dataCentres) {
                Served.awaitPeers(cql(dataCentre), dataCentres.size() - 1);
            }
            follow(distances);
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    /** Closes the sessions, and removes containers and network. Does nothing where nothing runs. */
    @Override
    public void stop() {
        sessions.values().forEach(CqlSession::close);
        sessions.clear();
        nodes.values().forEach(NodeContainer::stop);
        nodes.clear();
        if (network != null) {
            network.close();
            network = null;
        }
    }

    /** Where clients on this machine reach the data centre's node. */
    public InetSocketAddress contactPoint(String dataCentre) {
        return node(dataCentre).contactPoint();
    }

    /** A session of the plain driver with the data centre's node; the same one at each call. */
    public CqlSession cql(String dataCentre) {
        NodeContainer node = node(dataCentre);
        return sessions.computeIfAbsent(dataCentre, name -> connect(name, node.contactPoint()));
    }

    /** A new session that has seen nothing, at home in the first data centre, and can move to all others. */
    public MeteorShowerSession session() {
        return session(dataCentres.get(0));
    }

    /** The same, at home in this one. */
    public MeteorShowerSession session(String home) {
        MeteorShowerSessionBuilder builder = MeteorShowerSession.builder().dataCentre(home, cql(home));
        for (String dataCentre : dataCentres) {
            if (!dataCentre.equals(home)) {
                builder.dataCentre(dataCentre, cql(dataCentre));
            }
        }
        return builder.build();
    }

    /**
     * Makes a keyspace with a replica in each data centre.
     *
     * @throws RuntimeException what the driver throws
     */
    public void createKeyspace(String name) {
        StringBuilder replicas = new StringBuilder();
        dataCentres.forEach(
                dataCentre -> replicas.append(", '").append(dataCentre).append("': 1"));
        cql(dataCentres.get(0))
                .execute("CREATE KEYSPACE IF NOT EXISTS " + name
                        + " WITH replication = {'class': 'NetworkTopologyStrategy'" + replicas + "}");
    }

    /**
     * Enables a table, and returns when every data centre serves it.
     *
     * @param options what the column {@code options} takes, such as {@code ranges=cassandra}; empty for the defaults
     * @throws RuntimeException what the driver throws; {@link IllegalStateException} if it is not served within a
     *     minute, with the reason
     */
    public void enable(String keyspace, String table, String options) {
        Served.enable(cql(dataCentres.get(0)), keyspace, table, options);
        for (String dataCentre : dataCentres) {
            Served.await(cql(dataCentre), dataCentre, keyspace, table);
        }
    }

    /** Changes the distances of the running cluster; in force within 100 ms. */
    public void follow(Distances changed) {
        String text = changed.text(dataCentres);
        nodes.values().forEach(node -> node.follow(text));
        distances = changed;
    }

    /**
     * The data centre hears from no other, and none hears from it. Its clients still reach it. The nodes follow within
     * a fifth of a second after this returns, as they follow every change of the network.
     */
    public void cutOff(String dataCentre) {
        node(dataCentre);
        follow(distances.without(dataCentre));
    }

    /** Undoes {@link #cutOff}. */
    public void rejoin(String dataCentre) {
        node(dataCentre);
        follow(distances.with(dataCentre));
    }

    private NodeContainer node(String dataCentre) {
        if (!dataCentres.contains(dataCentre)) {
            throw new IllegalArgumentException(
                    "There is no data centre " + dataCentre + ": " + String.join(", ", dataCentres));
        }
        NodeContainer node = nodes.get(dataCentre);
        if (node == null) {
            throw new IllegalStateException("The cluster does not run: call start() first");
        }
        return node;
    }

    private static CqlSession connect(String dataCentre, InetSocketAddress contactPoint) {
        return CqlSession.builder()
                .addContactPoint(contactPoint)
                .withLocalDatacenter(dataCentre)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, ANSWER_WITHIN)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, ANSWER_WITHIN)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, ANSWER_WITHIN)
                        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, ANSWER_WITHIN)
                        .build())
                .build();
    }
}
