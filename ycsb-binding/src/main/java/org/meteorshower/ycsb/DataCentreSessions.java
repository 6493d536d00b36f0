/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import site.ycsb.DBException;

/** One CqlSession for each data centre that is needed, and the statements prepared in all of them. Thread-safe. */
public final class DataCentreSessions implements AutoCloseable {
    private final ClusterSettings settings;
    private final Map<String, CqlSession> sessions = new LinkedHashMap<>();
    private final Map<String, Map<String, PreparedStatement>> prepared = new ConcurrentHashMap<>();
    private List<String> homes = List.of();

    private DataCentreSessions(ClusterSettings settings) {
        this.settings = settings;
    }

    /**
     * Connects. Throws DBException where no node answers, or there is no such data centre.
     *
     * @param everyDataCentre those that have no clients at home, too
     */
    public static DataCentreSessions connect(ClusterSettings settings, boolean everyDataCentre) throws DBException {
        DataCentreSessions connected = new DataCentreSessions(settings);
        try {
            connected.open(everyDataCentre);
            return connected;
        } catch (DriverException e) {
            connected.close();
            throw new DBException(
                    "cannot connect to " + settings.hosts() + ": " + e.getMessage()
                            + "\nAre the nodes up, and are the properties " + ClusterSettings.HOSTS + ", "
                            + ClusterSettings.PORT + ", " + ClusterSettings.USER + " right?",
                    e);
        } catch (DBException | RuntimeException e) {
            connected.close();
            throw e;
        }
    }

    private void open(boolean everyDataCentre) throws DBException {
        Map<String, Map<Node, EndPoint>> nodes = new TreeMap<>();
        try (CqlSession scout = scout()) {
            for (Node node : scout.getMetadata().getNodes().values()) {
                String dc = Objects.requireNonNullElse(node.getDatacenter(), "");
                nodes.computeIfAbsent(dc, name -> new LinkedHashMap<>()).put(node, node.getEndPoint());
            }
        }
        homes = homes(nodes);
        Set<String> wanted = new LinkedHashSet<>(homes);
        if (everyDataCentre) {
            wanted.addAll(nodes.keySet());
        }
        for (String dc : wanted) {
            Map<Node, EndPoint> there = nodes.get(dc);
            if (there == null) {
                throw PropertyReader.wrong(
                        ClusterSettings.DATA_CENTRES, dc, "of the cluster's data centres: " + nodes.keySet());
            }
            sessions.put(dc, session(dc, there.values()));
        }
    }

    private List<String> homes(Map<String, Map<Node, EndPoint>> nodes) throws DBException {
        List<String> wanted = settings.dataCentres();
        if (wanted.equals(List.of("all"))) {
            return List.copyOf(nodes.keySet());
        }
        return wanted.isEmpty() ? List.of(ofFirstHost(nodes)) : wanted;
    }

    /** To look at the cluster with, from any of the hosts. */
    private CqlSession scout() {
        return builder(config().withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "BasicLoadBalancingPolicy")
                        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                        .build())
                .addContactPoints(settings.hosts())
                .build();
    }

    private CqlSession session(String dc, Iterable<EndPoint> nodes) {
        CqlSessionBuilder builder = builder(config().withStringList(
                                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(settings.keyspace()))
                        .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, settings.connectionsPerNode())
                        .build())
                .withLocalDatacenter(dc);
        nodes.forEach(builder::addContactEndPoint);
        return builder.build();
    }

    private CqlSessionBuilder builder(DriverConfigLoader config) {
        CqlSessionBuilder builder = CqlSession.builder().withConfigLoader(config);
        String user = settings.user();
        String password = settings.password();
        return user == null || password == null ? builder : builder.withAuthCredentials(user, password);
    }

    private ProgrammaticDriverConfigLoaderBuilder config() {
        return DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, settings.requestLimit())
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, settings.requestLimit())
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, settings.requestLimit())
                // Nothing is under way when sessions are closed: waiting for it takes two seconds each.
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true);
    }

    private String ofFirstHost(Map<String, Map<Node, EndPoint>> nodes) throws DBException {
        for (var host : settings.hosts()) {
            for (Map.Entry<String, Map<Node, EndPoint>> dc : nodes.entrySet()) {
                if (dc.getValue().values().stream()
                        .anyMatch(point -> point.resolve().equals(host))) {
                    return dc.getKey();
                }
            }
        }
        throw new DBException("the cluster does not know " + settings.hosts() + " under these addresses; say which data"
                + " centre is meant: " + ClusterSettings.DATA_CENTRES + "= one of " + nodes.keySet());
    }

    /** Where clients are at home; at least one. */
    public List<String> homes() {
        return homes;
    }

    /** All that there are connections to, those with clients at home first. */
    public List<String> names() {
        return List.copyOf(sessions.keySet());
    }

    /** Throws IllegalArgumentException where there is no connection. */
    public CqlSession session(String dc) {
        CqlSession found = sessions.get(dc);
        if (found == null) {
            throw new IllegalArgumentException("no connection to data centre " + dc + "; there are " + names());
        }
        return found;
    }

    /**
     * The statement, prepared for this data centre. It is prepared in all of them at once: a session that goes on
     * elsewhere takes its statement along. Throws the driver's exceptions; nothing has been executed then.
     */
    PreparedStatement prepared(String query, String dc) {
        Map<String, PreparedStatement> everywhere =
                prepared.computeIfAbsent(query, missing -> sessions.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, each -> each.getValue().prepare(missing))));
        return Objects.requireNonNull(everywhere.get(dc), dc);
    }

    /** The table's name with its keyspace. */
    String table(String table) {
        return settings.keyspace() + "." + Cql.name(table);
    }

    @Override
    public void close() {
        sessions.values().forEach(CqlSession::closeAsync);
        sessions.values().forEach(CqlSession::close);
    }
}
