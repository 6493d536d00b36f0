/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transport.TestNode.await;
import static org.meteorshower.transport.TestNode.connect;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.protocol.Message;

class TransportTlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private static Path folder;

    private static Party one;
    private static Party two;
    private static Party stranger;

    private final TestNode.Cluster cluster = new TestNode.Cluster();
    private final List<TestNode> nodes = new ArrayList<>();

    private record Party(PrivateKey key, X509Certificate certificate) {}

    @BeforeAll
    static void makeCertificates() throws Exception {
        one = make(1);
        two = make(2);
        stranger = make(3);
    }

    @AfterEach
    void close() {
        nodes.forEach(TestNode::close);
    }

    @Test
    void nodesWithTrustedCertificatesTalkAndTheAuthenticatorSeesTheirCertificates() throws Exception {
        List<Certificate> accepted = new CopyOnWriteArrayList<>();
        List<Certificate> connectedTo = new CopyOnWriteArrayList<>();
        PeerAuthenticator looking = (address, certificates, opened) ->
                (opened == PeerAuthenticator.OpenedBy.OTHER ? accepted : connectedTo).addAll(certificates);
        TestNode first = node(1, tls(one, true, one, two), looking);
        TestNode second = node(2, tls(two, true, one, two), looking);
        connect(first, second);
        connect(second, first);
        assertThat(accepted).contains(one.certificate, two.certificate);
        assertThat(connectedTo).contains(one.certificate, two.certificate);
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() throws Exception {
        TestNode first = node(1, tls(stranger, false, one, two, stranger), PeerAuthenticator.ALLOW_ALL);
        TestNode second = node(2, tls(two, false, one, two), PeerAuthenticator.ALLOW_ALL);
        first.transport.send(second.id, new Message.Pull(1));
        second.transport.send(first.id, new Message.Pull(1));
        await(() -> second.transport.counters().refused.sum() > 1);
        assertThat(second.received).isEmpty();
        assertThat(first.received).isEmpty();
    }

    @Test
    void aCertificateForAnotherAddressIsRefusedWhereNamesAreVerified() throws Exception {
        TestNode first = node(1, tls(one, true, one, two), PeerAuthenticator.ALLOW_ALL);
        TestNode second = node(2, tls(one, true, one, two), PeerAuthenticator.ALLOW_ALL);
        first.transport.send(second.id, new Message.Pull(1));
        await(() -> first.transport.counters().refused.sum() > 0);
        assertThat(second.received).isEmpty();
    }

    @Test
    void aCertificateForAnotherAddressIsRefusedFromWhoConnectsWhereNamesAreVerified() throws Exception {
        TestNode first = node(1, tls(two, false, one, two), PeerAuthenticator.ALLOW_ALL);
        TestNode second = node(2, tls(two, true, one, two), PeerAuthenticator.ALLOW_ALL);
        first.transport.send(second.id, new Message.Pull(1));
        await(() -> second.transport.counters().refused.sum() > 0);
        assertThat(second.received).isEmpty();
    }

    @Test
    void plainTextIsRefusedByANodeThatWantsTls() throws Exception {
        TestNode second = node(2, tls(two, false, one, two), PeerAuthenticator.ALLOW_ALL);
        try (Socket socket = new Socket(second.listen.getAddress(), second.listen.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(new byte[100]);
            socket.getInputStream().readAllBytes();
        }
        await(() -> second.transport.counters().refused.sum() > 0);
    }

    private TestNode node(long number, TlsSettings tls, PeerAuthenticator authenticator) throws Exception {
        TestNode node = new TestNode(
                cluster,
                number,
                o -> new TransportOptions(
                        o.clusterName(),
                        o.node(),
                        1,
                        o.dataCenter(),
                        o.listen(),
                        tls,
                        o.secret(),
                        authenticator,
                        o.limits()),
                null);
        nodes.add(node);
        return node;
    }

    private static TlsSettings tls(Party self, boolean verifyName, Party... trusted) throws Exception {
        X509Certificate[] trust = new X509Certificate[trusted.length];
        for (int i = 0; i < trust.length; i++) {
            trust[i] = trusted[i].certificate;
        }
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .keyManager(self.key, self.certificate)
                .trustManager(trust)
                .endpointIdentificationAlgorithm(null)
                .build();
        SslContext server = SslContextBuilder.forServer(self.key, self.certificate)
                .sslProvider(SslProvider.JDK)
                .trustManager(trust)
                .clientAuth(ClientAuth.REQUIRE)
                .build();
        return new TlsSettings(() -> client, () -> server, true, verifyName);
    }

    /** With the JDK's own tool: neither Netty nor the JDK has a public way to sign a certificate. */
    private static Party make(int number) throws Exception {
        Path store = folder.resolve("node" + number + ".p12");
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "node",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=node" + number,
                        "-ext",
                        "san=ip:127.0.0." + number,
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return new Party((PrivateKey) keys.getKey("node", PASSWORD), (X509Certificate) keys.getCertificate("node"));
    }
}
