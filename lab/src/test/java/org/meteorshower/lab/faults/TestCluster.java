/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.meteorshower.lab.FreeAddress;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.FrugalDriver;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.WanLinks;

/** Real nodes with the plugin, shared by the tests of a class. Leaves the nodes' logs in target/faults. Thread-safe. */
final class TestCluster implements AutoCloseable {
    static final Duration START_LIMIT = Duration.ofMinutes(4);
    static final String KEYSPACE = "faults";
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    /** For what a node does at its own pace: a change of the schema on nodes that have just begun. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    /** For what nodes find out by themselves. */
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final LocalCluster cluster;
    private final Map<String, CqlSession> sessions = new ConcurrentHashMap<>();

    private TestCluster(String name, LocalCluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /** @param name of the test class, for the logs */
    static TestCluster start(String name, Path folder, ClusterOptions.Builder options) {
        return new TestCluster(
                name,
                LocalCluster.start(
                        Installation.locate(),
                        folder.resolve("cluster"),
                        withShortTimeouts(options.firstAddress(FreeAddress.next())),
                        START_LIMIT,
                        System.out::println));
    }

    /** Shorter than usual, so that what must time out does so soon; not where a test has timeouts of its own. */
    private static ClusterOptions withShortTimeouts(ClusterOptions.Builder options) {
        Map<String, String> lines =
                new HashMap<>(Map.of("read_request_timeout", "2000ms", "write_request_timeout", "2000ms"));
        lines.keySet().removeAll(options.build().cassandraOptions().keySet());
        return options.cassandraOptions(lines).build();
    }

    LocalCluster nodes() {
        return cluster;
    }

    WanLinks wan() {
        return new WanLinks(cluster);
    }

    List<String> dcs() {
        return cluster.options().dcs();
    }

    /** Connected to the first node of one data centre, and to no others. Closed with the cluster. */
    CqlSession cql(String dc) {
        return sessions.computeIfAbsent(dc, d -> connector(d).build());
    }

    CqlSessionBuilder connector(String dc) {
        return connectorTo(nodeOf(dc));
    }

    /** The same, for who waits for an answer so long only. */
    CqlSessionBuilder connector(String dc, Duration requestTimeout) {
        return connectorTo(nodeOf(dc)).withConfigLoader(driverConfig(requestTimeout));
    }

    private NodeSpec nodeOf(String dc) {
        return cluster.nodes().stream()
                .filter(n -> n.dc().equals(dc))
                .findFirst()
                .orElseThrow();
    }

    /** For sessions with this node alone. */
    static CqlSessionBuilder connectorTo(NodeSpec node) {
        String dc = node.dc();
        return CqlSession.builder()
                // A stock session has an order per coordinator, so it keeps to one.
                .withNodeDistanceEvaluator(
                        (other, local) -> address(other).equals(node.address()) ? null : NodeDistance.IGNORED)
                .withConfigLoader(driverConfig(REQUEST_TIMEOUT))
                .addContactPoint(new InetSocketAddress(node.address(), NodeSpec.CQL_PORT))
                .withLocalDatacenter(dc)
                // Asked for only where a test's options say so.
                .withAuthCredentials("cassandra", "cassandra");
    }

    private static String address(Node node) {
        return node.getEndPoint().resolve() instanceof InetSocketAddress socket
                ? socket.getAddress().getHostAddress()
                : "";
    }

    static DriverConfigLoader driverConfig(Duration requestTimeout) {
        return FrugalDriver.settings(PATIENT)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, requestTimeout)
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                .build();
    }

    /** The key of the session tokens. */
    String tokenSecret() throws IOException {
        return JSON.readTree(Files.readString(cluster.folder().resolve("cluster.json")))
                .get("tokenSecret")
                .asText();
    }

    /** One replica in each data centre. */
    void createKeyspace() {
        StringBuilder replication = new StringBuilder("{'class': 'NetworkTopologyStrategy'");
        dcs().forEach(dc -> replication.append(", '").append(dc).append("': 1"));
        changeSchema("CREATE KEYSPACE " + KEYSPACE + " WITH replication = " + replication + "}");
    }

    /** Creates a table, enables it, and waits until it is served everywhere. */
    void createEnabled(String table, String columns) throws InterruptedException {
        create(table, columns);
        enable(table);
    }

    /** @param options of {@code meteorshower.tables} */
    void createEnabled(String table, String columns, String options) throws InterruptedException {
        create(table, columns);
        enable(table, options);
    }

    /** Creates an ordinary table, and waits until every node knows of it. */
    void create(String table, String columns) throws InterruptedException {
        create(table, columns, "comment = ''");
    }

    /** @param options of CREATE TABLE */
    void create(String table, String columns, String options) throws InterruptedException {
        changeSchema("CREATE TABLE " + KEYSPACE + "." + table + " (" + columns + ") WITH " + options);
        for (String dc : dcs()) {
            Waiting.until(SOON, () -> cql(dc).prepare("SELECT * FROM " + KEYSPACE + "." + table));
        }
    }

    /** Executes a statement that takes longer than others. */
    void changeSchema(String statement) {
        cql(dcs().get(0)).execute(SimpleStatement.newInstance(statement).setTimeout(PATIENT));
    }

    void enable(String table) throws InterruptedException {
        enable(table, "");
    }

    private void enable(String table, String options) throws InterruptedException {
        cql(dcs().get(0))
                .execute(SimpleStatement.newInstance(
                                "INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES (?, ?, ?)",
                                KEYSPACE,
                                table,
                                options)
                        .setTimeout(PATIENT));
        awaitServed(table);
    }

    /** Lets a table into transactions; if it holds nothing, it mostly takes part then. */
    void letIn(String dc, String table) {
        cql(dc).execute(SimpleStatement.newInstance(
                        "UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = ? AND table_name = ?",
                        KEYSPACE,
                        table)
                .setTimeout(PATIENT));
    }

    void awaitLetIn(String table) throws InterruptedException {
        for (String dc : dcs()) {
            Waiting.until(SOON, () -> assertThat(stateOf(dc, table)).isEqualTo("takes part in transactions"));
        }
    }

    void disable(String table) {
        cql(dcs().get(0))
                .execute("DELETE FROM meteorshower.tables WHERE keyspace_name = ? AND table_name = ?", KEYSPACE, table);
    }

    void awaitServed(String table) throws InterruptedException {
        for (String dc : dcs()) {
            Waiting.until(SOON, () -> assertThat(stateOf(dc, table)).isEqualTo("served"));
        }
    }

    /** Waits until a data centre's node has heard from nobody for a while: what cuts it off is in force. */
    void awaitSilence(String dc) throws InterruptedException {
        Waiting.until(SOON, () -> assertThat(cql(dc).execute("SELECT silent_micros FROM meteorshower.peers")
                        .all())
                .extracting(peer -> peer.getLong(0))
                .isNotEmpty()
                .allMatch(micros -> micros > 500_000));
    }

    /** What a data centre's node says of a table. */
    String stateOf(String dc, String table) {
        Row row = cql(dc).execute(
                        "SELECT state FROM meteorshower.tables WHERE keyspace_name = ? AND table_name = ?",
                        KEYSPACE,
                        table)
                .one();
        return row == null ? "not enabled" : String.valueOf(row.getString(0));
    }

    /** Ends a node in good order, if it runs, and starts it; returns when drivers have found it again. */
    void restart(String node) throws InterruptedException {
        restart(List.of(node));
    }

    /** The same of several at once. */
    void restart(List<String> nodes) throws InterruptedException {
        cluster.restart(nodes, START_LIMIT, System.out::println);
        for (String node : nodes) {
            CqlSession session = sessions.get(cluster.node(node).dc());
            if (session != null) {
                Waiting.until(SOON, () -> session.execute("SELECT key FROM system.local"));
            }
        }
    }

    /**
     * Ends one node in good order, if it runs, and starts it with options of its own; the others' stay.
     *
     * @param change to the cluster's options as cluster.json holds them
     */
    void restart(String node, Consumer<ObjectNode> change) throws IOException, InterruptedException {
        Path file = cluster.folder().resolve("cluster.json");
        ObjectNode options = (ObjectNode) JSON.readTree(Files.readString(file)).get("options");
        ObjectNode changed = options.deepCopy();
        change.accept(changed);
        replaceOptions(file, changed);
        try {
            restart(node);
        } finally {
            replaceOptions(file, options);
        }
    }

    private static void replaceOptions(Path file, ObjectNode options) throws IOException {
        ObjectNode state = (ObjectNode) JSON.readTree(Files.readString(file));
        state.set("options", options);
        Files.writeString(file, state.toPrettyString());
    }

    @Override
    public void close() throws IOException {
        sessions.values().forEach(CqlSession::closeAsync);
        sessions.values().forEach(CqlSession::close);
        for (NodeSpec node : cluster.nodes()) {
            Path log = cluster.systemLog(node.name());
            if (Files.exists(log)) {
                Files.copy(log, Reports.file(name + "-" + node.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        // What they have stored goes with them: none has to end in good order.
        cluster.nodes().forEach(node -> cluster.killIfRunning(node.name()));
        cluster.close();
    }
}
