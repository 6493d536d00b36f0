/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;

/**
 * Where the nodes are and how to talk to them: what both bindings need. Immutable. The names are those of YCSB's own
 * Cassandra binding where it has the same thing.
 *
 * @param hosts any nodes of the cluster, at least one
 * @param keyspace of the table
 * @param user with the password, or null
 * @param dataCentres where clients are at home, in turn; only "all": in every one; empty: in that of the first host
 * @param requestLimit how long the driver waits for an answer
 * @param connectionsPerNode at least 1
 */
public record ClusterSettings(
        List<InetSocketAddress> hosts,
        String keyspace,
        @Nullable String user,
        @Nullable String password,
        List<String> dataCentres,
        Duration requestLimit,
        int connectionsPerNode) {
    public static final String HOSTS = "hosts";
    public static final String PORT = "port";
    public static final String KEYSPACE = "cassandra.keyspace";
    public static final String USER = "cassandra.username";
    public static final String PASSWORD = "cassandra.password";
    public static final String DATA_CENTRES = "cassandra.datacenters";
    public static final String REQUEST_LIMIT = "cassandra.readtimeoutmillis";
    public static final String CONNECTIONS = "cassandra.coreconnections";

    private static final Set<String> KNOWN = Set.of(
            KEYSPACE,
            USER,
            PASSWORD,
            DATA_CENTRES,
            REQUEST_LIMIT,
            CONNECTIONS,
            CassandraSettings.READ_LEVEL,
            CassandraSettings.WRITE_LEVEL,
            CassandraSettings.SCAN_LEVEL);

    /** Throws DBException that names the property and what it may be. */
    public static ClusterSettings of(Properties properties) throws DBException {
        PropertyReader reader = new PropertyReader(properties);
        reader.refuseUnknown("cassandra.", KNOWN);
        String user = reader.text(USER);
        String password = reader.text(PASSWORD);
        if ((user == null) != (password == null)) {
            throw new DBException(USER + " and " + PASSWORD + " go together: give both, or none");
        }
        List<String> dataCentres = reader.list(DATA_CENTRES);
        if (new TreeSet<>(dataCentres).size() < dataCentres.size()) {
            throw new DBException(DATA_CENTRES + " names one twice: " + String.join(",", dataCentres));
        }
        return new ClusterSettings(
                hosts(reader),
                reader.value(KEYSPACE, "ycsb", Cql.NAME_RULE, Cql::name),
                user,
                password,
                dataCentres,
                Duration.ofMillis(reader.integer(REQUEST_LIMIT, 12_000, 1, 600_000)),
                reader.integer(CONNECTIONS, 1, 1, 1_000));
    }

    private static List<InetSocketAddress> hosts(PropertyReader reader) throws DBException {
        List<String> names = reader.list(HOSTS);
        if (names.isEmpty()) {
            throw new DBException(HOSTS + " is missing: name one or more nodes, for example -p hosts=127.0.0.1");
        }
        int port = reader.integer(PORT, 9042, 1, 65_535);
        List<InetSocketAddress> hosts = new ArrayList<>();
        for (String name : names) {
            InetSocketAddress host = new InetSocketAddress(name, port);
            if (host.isUnresolved()) {
                throw new DBException(HOSTS + ": no address is known for " + name
                        + "; give names or addresses without a port, which is the property " + PORT);
            }
            hosts.add(host);
        }
        return List.copyOf(hosts);
    }

    /** The password stays out of logs. */
    @Override
    public String toString() {
        return "ClusterSettings[" + hosts + ", keyspace " + keyspace + ", data centres " + dataCentres + "]";
    }
}
