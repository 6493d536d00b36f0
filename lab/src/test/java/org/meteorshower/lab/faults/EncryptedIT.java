/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.LongTest;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;

/**
 * Nodes whose Cassandra encrypts between nodes, demands certificates, and admits one identity only: MeteorShower's port
 * does the same. They accept connections with one certificate and open them with another, as {@code outbound_keystore}
 * allows.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class EncryptedIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PATIENCE_MILLIS = 30_000;

    @TempDir
    private static Path folder;

    private static Keys keys;
    private static TestCluster cluster;
    private static int written;

    @BeforeAll
    static void start() throws Exception {
        keys = new Keys(Files.createDirectory(folder.resolve("keys")));
        keys.make("acceptor-1", "acceptor-2", "node-1", "node-2", "other-1", "stranger-1");
        install("1");
        keys.trust("trusted", "acceptor-1", "node-1", "other-1");
        cluster = TestCluster.start(
                "EncryptedIT",
                folder,
                ClusterOptions.builder()
                        .delaysMillis(List.of(5.0))
                        .cassandraOptions(Map.of(
                                "server_encryption_options", encryption(), "internode_authenticator", admission())));
        cluster.createKeyspace();
        cluster.createEnabled("encrypted", "id int PRIMARY KEY, v int");
    }

    private static String encryption() {
        return "{internode_encryption: all, require_client_auth: true, store_type: PKCS12"
                + store("keystore", "accepting")
                + store("outbound_keystore", "connecting")
                + store("truststore", "trusted") + "}";
    }

    private static String store(String option, String name) {
        return ", " + option + ": '" + keys.file(name) + "', " + option + "_password: '" + Keys.PASSWORD + "'";
    }

    private static String admission() {
        return "{class_name: org.apache.cassandra.auth.MutualTlsInternodeAuthenticator, parameters: {"
                + "validator_class_name: org.apache.cassandra.auth.SpiffeCertificateValidator, "
                + "trusted_peer_identities: '" + Keys.identity("node") + "'}}";
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void allGoOn() throws Exception {
        for (String writer : cluster.dcs()) {
            int value = ++written;
            MeteorShowerSession session = session(writer);
            // A node that has just begun may not have caught up with the table yet.
            Waiting.until(SOON, () -> session.execute("INSERT INTO faults.encrypted (id, v) VALUES (1, ?)", value));
            for (String reader : cluster.dcs()) {
                MeteorShowerSession other = session(reader);
                other.observe(session.token());
                Waiting.until(SOON, () -> {
                    var rows = other.execute("SELECT v FROM faults.encrypted WHERE id = 1");
                    assertThat(rows.one().getInt(0)).isEqualTo(value);
                    assertThat(ReadInfo.of(rows.getExecutionInfo())
                                    .orElseThrow()
                                    .served())
                            .isEqualTo(Served.LOCAL);
                });
            }
        }
    }

    private static MeteorShowerSession session(String dc) {
        return MeteorShowerSession.builder()
                .dataCentre(cluster.cql(dc))
                .requireServed(true)
                .build();
    }

    @Test
    @Order(1)
    void whoShowsANodesCertificateIsWelcomeFromAnyAddress() throws Exception {
        Answer answer = greet("eu", keys.client("node-1", "trusted"));
        assertThat(answer.type()).as(answer.text()).isEqualTo(Wire.WELCOME);
        assertThat(answer.acceptor()).isEqualTo("CN=acceptor-1");
    }

    @Test
    @Order(2)
    void plainTextIsHungUpOn() throws Exception {
        try (Wire wire = new Wire(address("eu"), address("asia"))) {
            wire.write(Wire.frame(Wire.HELLO, hello("eu")));
            wire.awaitHangUp();
        }
        assertLogged("TLS failed", address("asia"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stranger-1", ""})
    @Order(3)
    void whoShowsAnUntrustedCertificateOrNoneIsHungUpOn(String shown) throws Exception {
        assertThat(greet("eu", keys.client(shown, "trusted"))).isNull();
        assertLogged("TLS failed", outside());
    }

    @Test
    @Order(4)
    void whoShowsATrustedCertificateOfAnotherIdentityIsRefusedByTheAuthenticator() throws Exception {
        Answer answer = greet("eu", keys.client("other-1", "trusted"));
        assertThat(answer.type()).isEqualTo(Wire.REFUSED);
        assertThat(answer.text()).contains("the internode authenticator does not admit");
        // A node's own second certificate is for accepting, not for connecting.
        assertThat(greet("eu", keys.client("acceptor-1", "trusted")).type()).isEqualTo(Wire.REFUSED);
        assertLogged("the internode authenticator does not admit", outside());
    }

    @LongTest
    @Test
    @Order(5)
    void certificatesAreRenewedWhileTheNodesRun() throws Exception {
        keys.trust("trusted", "acceptor-1", "node-1", "acceptor-2", "node-2");
        reload();
        install("2");
        reload();
        allGoOn();
        Answer answer = greet("eu", keys.client("node-2", "trusted"));
        assertThat(answer.type()).as(answer.text()).isEqualTo(Wire.WELCOME);
        assertThat(answer.acceptor()).isEqualTo("CN=acceptor-2");

        keys.trust("trusted", "acceptor-2", "node-2");
        reload();
        assertThat(greet("eu", keys.client("node-1", "trusted"))).isNull();
        // Connections that were there go on as they are, here as in Cassandra; new ones are made with the new files.
        allGoOn();
        cluster.restart("us-1");
    }

    /** Puts keys where the nodes look for theirs. */
    private static void install(String generation) throws IOException {
        for (String[] role : new String[][] {{"acceptor-", "accepting"}, {"node-", "connecting"}}) {
            Files.copy(keys.file(role[0] + generation), keys.file(role[1]), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** What {@code nodetool reloadssl} does; without it nodes look every ten minutes. */
    @SuppressWarnings("BanJNDI") // connects to the test's own nodes, through an address that their JVMs gave
    private static void reload() throws Exception {
        for (NodeStatus node : cluster.nodes().status()) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(node.pid()));
            try (JMXConnector jmx =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                jmx.getMBeanServerConnection()
                        .invoke(
                                new ObjectName("org.apache.cassandra.net:type=MessagingService"),
                                "reloadSslCertificates",
                                null,
                                null);
            } finally {
                machine.detach();
            }
        }
    }

    private record Answer(int type, String text, String acceptor) {}

    /** What a node says when somebody greets it in asia's name, from elsewhere; null if it hangs up. */
    private static Answer greet(String dc, SSLContext tls) throws Exception {
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket()) {
            socket.bind(new InetSocketAddress(outside(), 0));
            socket.connect(new InetSocketAddress(address(dc), NodeSpec.TRANSPORT_PORT), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(Wire.frame(Wire.HELLO, hello(dc)));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            X509Certificate theirs = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return new Answer(
                    frame[0],
                    new String(frame, 1, frame.length - 1, StandardCharsets.UTF_8),
                    theirs.getSubjectX500Principal().getName());
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException hungUp) {
            return null;
        }
    }

    private static byte[] hello(String dc) {
        return Wire.hello(Wire.VERSION, "meteorshower", hostId("asia"), hostId(dc));
    }

    private static UUID hostId(String dc) {
        return cluster.cql(dc).execute("SELECT host_id FROM system.local").one().getUuid(0);
    }

    private static String address(String dc) {
        return cluster.nodes().node(dc + "-1").address();
    }

    /** An address of this machine at which no node is. */
    private static String outside() {
        String eu = address("eu");
        return eu.substring(0, eu.lastIndexOf('.')) + ".99";
    }

    private static void assertLogged(String... words) throws Exception {
        NodeLog.of(cluster, "eu-1").awaitWarning(words);
    }
}
