/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.meteorshower.lab.cluster.FrugalDriver;
import org.meteorshower.lab.cluster.NodeSpec;

/** Asks one node, over a connection to no other. All methods throw the driver's exceptions. For one thread. */
public final class NodeCql implements AutoCloseable {
    /** Nodes that share a few cores with one that starts take their time, most of all with the schema. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private final CqlSession session;

    public NodeCql(NodeSpec node) {
        session = CqlSession.builder()
                .withNodeDistanceEvaluator(
                        (other, local) -> address(other).equals(node.address()) ? null : NodeDistance.IGNORED)
                .withConfigLoader(FrugalDriver.settings(PATIENT).build())
                .addContactPoint(new InetSocketAddress(node.address(), NodeSpec.CQL_PORT))
                .withLocalDatacenter(node.dc())
                .build();
    }

    private static String address(Node node) {
        return node.getEndPoint().resolve() instanceof InetSocketAddress socket
                ? socket.getAddress().getHostAddress()
                : "";
    }

    /** Sends a statement that gives nothing back. */
    public void execute(String statement) {
        session.execute(statement);
    }

    /** Of all keyspaces. */
    List<Replication> replications() {
        List<Replication> found = new ArrayList<>();
        for (Row row : session.execute("SELECT keyspace_name, replication FROM system_schema.keyspaces")) {
            Map<String, String> stored = row.getMap(1, String.class, String.class);
            if (stored != null) {
                found.add(Replication.of(String.valueOf(row.getString(0)), stored));
            }
        }
        return found;
    }

    /** What the node says of each enabled table, by keyspace and name. Empty where it runs without the plugin. */
    Map<String, String> tableStates() {
        Map<String, String> states = new TreeMap<>();
        for (Row row : session.execute("SELECT keyspace_name, table_name, options, state FROM meteorshower.tables")) {
            // Tables of transactions have no options, and are not read at cuts.
            if (!row.isNull(2)) {
                states.put(row.getString(0) + "." + row.getString(1), String.valueOf(row.getString(3)));
            }
        }
        return states;
    }

    /** The peers that the node has left behind, those that come back included. */
    public List<UUID> leftBehind() {
        List<UUID> found = new ArrayList<>();
        session.execute("SELECT host_id FROM meteorshower.left_behind").forEach(row -> found.add(row.getUuid(0)));
        return found;
    }

    /** The versions of the schema that this node and those that it knows have. */
    Set<UUID> schemaVersions() {
        Set<UUID> versions = new HashSet<>();
        for (String query :
                List.of("SELECT schema_version FROM system.local", "SELECT schema_version FROM system.peers_v2")) {
            session.execute(query).forEach(row -> {
                UUID version = row.getUuid(0);
                if (version != null) {
                    versions.add(version);
                }
            });
        }
        return versions;
    }

    /** Why it does not answer, in a few words. */
    static String why(DriverException failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }

    @Override
    public void close() {
        session.close();
    }
}
