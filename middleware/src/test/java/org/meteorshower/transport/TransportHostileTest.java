/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transport.TestNode.await;
import static org.meteorshower.transport.TestNode.connect;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/** What a node does with those who are not what they should be. */
class TransportHostileTest {
    private static final Message PULL = new Message.Pull(5);

    private final TestNode.Cluster cluster = new TestNode.Cluster();
    private final List<TestNode> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(TestNode::close);
    }

    @Test
    void anotherClusterIsRefused() throws Exception {
        refused(o -> new TransportOptions(
                "other", o.node(), 1, o.dataCenter(), o.listen(), null, null, o.authenticator(), o.limits()));
    }

    @Test
    void anotherSecretIsRefused() throws Exception {
        refused(o -> new TransportOptions(
                o.clusterName(),
                o.node(),
                1,
                o.dataCenter(),
                o.listen(),
                null,
                new SharedSecret("guess"),
                o.authenticator(),
                o.limits()));
    }

    @Test
    void nodesWithTheSameSecretTalk() throws Exception {
        Function<TransportOptions, TransportOptions> secret = o -> new TransportOptions(
                o.clusterName(),
                o.node(),
                1,
                o.dataCenter(),
                o.listen(),
                null,
                new SharedSecret("known"),
                o.authenticator(),
                o.limits());
        TestNode one = node(1, secret);
        TestNode two = node(2, secret);
        connect(one, two);
        connect(two, one);
    }

    @Test
    void whoTheAuthenticatorDoesNotAdmitIsRefused() throws Exception {
        TestNode one = node(1, o -> o);
        TestNode two = node(
                2,
                o -> new TransportOptions(
                        o.clusterName(),
                        o.node(),
                        1,
                        o.dataCenter(),
                        o.listen(),
                        null,
                        null,
                        (address, certificates, opened) ->
                                !address.getHostAddress().equals("127.0.0.1"),
                        o.limits()));
        one.transport.send(two.id, PULL);
        await(() -> two.transport.counters().refused.sum() > 0);
        assertThat(two.received).isEmpty();
    }

    @Test
    void anotherVersionAnUnknownNodeAWrongAddressAndAWrongTargetAreRefused() throws Exception {
        TestNode two = node(2, o -> o);
        cluster.peers.put(NodeId.of(1), new PeerDirectory.Peer(TestNode.freePort(1), "dc1"));
        byte[] good = hello(1, 2).encode();
        assertThat(answerTo(two, 1, FrameType.HELLO, good)).isEqualTo(FrameType.WELCOME);
        byte[] version = good.clone();
        byte unknown = (byte) (WireVersions.ALL.newest() + 1);
        version[8] = unknown; // the newest that it speaks
        version[9] = unknown; // and the oldest
        assertThat(answerTo(two, 1, FrameType.HELLO, version)).isEqualTo(FrameType.REFUSED);
        assertThat(answerTo(two, 1, FrameType.HELLO, hello(7, 2).encode())).isEqualTo(FrameType.REFUSED);
        assertThat(answerTo(two, 1, FrameType.HELLO, hello(1, 3).encode())).isEqualTo(FrameType.REFUSED);
        assertThat(answerTo(two, 9, FrameType.HELLO, good)).isEqualTo(FrameType.REFUSED);
        assertThat(two.transport.counters().refused.sum()).isEqualTo(4);
        // Its own name is no peer's.
        assertThat(answerTo(two, 2, FrameType.HELLO, hello(2, 2).encode())).isEqualTo(FrameType.REFUSED);
        assertThat(two.received).isEmpty();
    }

    @Test
    void aSessionThatWasRecordedCannotBePlayedAgain() throws Exception {
        TestNode two = node(2, o -> o);
        cluster.peers.put(NodeId.of(1), new PeerDirectory.Peer(TestNode.freePort(1), "dc1"));
        byte[] hello = hello(1, 2).encode();
        List<byte[]> recorded = new ArrayList<>();
        try (Socket socket = open(two, 1)) {
            SessionKeys keys = shakeHands(socket, hello);
            FrameSeal seal = keys.toAcceptor();
            byte[] message = new MessageCodec(StringUpdate.CODEC).encode(PULL);
            recorded.add(
                    bytes(FrameSeal.bare(UnpooledByteBufAllocator.DEFAULT, FrameType.PROOF, keys.connectorProof())));
            recorded.add(bytes(seal.seal(UnpooledByteBufAllocator.DEFAULT, FrameType.MESSAGE, message)));
            for (byte[] each : recorded) {
                socket.getOutputStream().write(each);
            }
            await(() -> two.received.size() == 1);
            // The same frame again on the same connection.
            socket.getOutputStream().write(recorded.get(1));
            await(() -> two.transport.counters().badFrames.sum() == 1);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        try (Socket socket = open(two, 1)) {
            // Everything again on another: the acceptor's random number is another one.
            writeBare(socket, FrameType.HELLO, hello);
            for (byte[] each : recorded) {
                socket.getOutputStream().write(each);
            }
            await(() -> two.transport.counters().refused.sum() == 1);
        }
        assertThat(two.received).hasSize(1);
    }

    @Test
    void garbageClosesTheConnectionAndTheNodeLives() throws Exception {
        TestNode one = node(1, o -> o);
        TestNode two = node(2, o -> o);
        connect(one, two);
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            byte[] garbage = new byte[1 + random.nextInt(5_000)];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                // A length that is allowed, so that the content is looked at.
                garbage[0] = 0;
                if (garbage.length > 3) {
                    garbage[1] = 0;
                    garbage[2] = 0;
                }
            }
            try (Socket socket = open(two, 1)) {
                socket.getOutputStream().write(garbage);
                socket.shutdownOutput();
                drain(socket);
            }
        }
        assertThat(two.transport.counters().badFrames.sum()).isGreaterThan(30);
        one.transport.send(two.id, PULL);
        await(() -> two.received.contains(PULL));
    }

    @Test
    void anOversizedLengthIsRefusedBeforeItsBytesAreAwaited() throws Exception {
        TestNode two = node(2, o -> o);
        try (Socket socket = open(two, 1)) {
            socket.getOutputStream().write(new byte[] {0x7f, 0, 0, 0});
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        cluster.peers.put(NodeId.of(1), new PeerDirectory.Peer(TestNode.freePort(1), "dc1"));
        try (Socket socket = open(two, 1)) {
            SessionKeys keys = shakeHands(socket, hello(1, 2).encode());
            writeBare(socket, FrameType.PROOF, keys.connectorProof());
            socket.getOutputStream().write(new byte[] {0, 0x20, 0, 0});
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(two.transport.counters().badFrames.sum()).isEqualTo(2);
    }

    @Test
    void aTruncatedMessageInAGoodFrameClosesTheConnection() throws Exception {
        TestNode two = node(2, o -> o);
        cluster.peers.put(NodeId.of(1), new PeerDirectory.Peer(TestNode.freePort(1), "dc1"));
        try (Socket socket = open(two, 1)) {
            SessionKeys keys = shakeHands(socket, hello(1, 2).encode());
            writeBare(socket, FrameType.PROOF, keys.connectorProof());
            socket.getOutputStream()
                    .write(bytes(keys.toAcceptor()
                            .seal(UnpooledByteBufAllocator.DEFAULT, FrameType.MESSAGE, new byte[] {3, 1, 2})));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(two.transport.counters().badFrames.sum()).isEqualTo(1);
    }

    @Test
    void whoSaysNothingIsHungUpOn() throws Exception {
        TestNode two = node(2, TransportHostileTest::impatient);
        try (Socket socket = open(two, 1)) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static TransportOptions impatient(TransportOptions o) {
        TransportOptions.Limits limits = o.limits();
        return new TransportOptions(
                o.clusterName(),
                o.node(),
                1,
                o.dataCenter(),
                o.listen(),
                null,
                null,
                o.authenticator(),
                new TransportOptions.Limits(
                        limits.maxFrameBytes(),
                        limits.maxQueuedBytes(),
                        limits.maxCalls(),
                        limits.reconnectMinMillis(),
                        limits.reconnectMaxMillis(),
                        300,
                        limits.silenceMillis(),
                        limits.threads()));
    }

    private void refused(Function<TransportOptions, TransportOptions> change) throws Exception {
        TestNode one = node(1, change);
        TestNode two = node(2, o -> o);
        one.transport.send(two.id, PULL);
        two.transport.send(one.id, PULL);
        await(() -> one.transport.counters().refused.sum()
                                + one.transport.counters().refusedByPeer.sum()
                        > 1
                && two.transport.counters().refused.sum()
                                + two.transport.counters().refusedByPeer.sum()
                        > 1);
        assertThat(one.received).isEmpty();
        assertThat(two.received).isEmpty();
        assertThat(one.transport.counters().connected.sum()
                        + two.transport.counters().connected.sum())
                .isZero();
    }

    private TestNode node(long number, Function<TransportOptions, TransportOptions> change) throws Exception {
        TestNode node = new TestNode(cluster, number, change, null);
        nodes.add(node);
        return node;
    }

    private static Hello hello(long from, long to) {
        return new Hello(
                WireVersions.ALL, "test", NodeId.of(from), 1, NodeId.of(to), UUID.randomUUID(), UUID.randomUUID());
    }

    private static Socket open(TestNode to, int from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) from}), 0));
        socket.connect(to.listen, 20_000);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static int answerTo(TestNode to, int from, int type, byte[] content) throws IOException {
        try (Socket socket = open(to, from)) {
            writeBare(socket, type, content);
            return new DataInputStream(socket.getInputStream()).readNBytes(5)[4];
        }
    }

    private static SessionKeys shakeHands(Socket socket, byte[] hello) throws Exception {
        writeBare(socket, FrameType.HELLO, hello);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] welcome = new byte[in.readInt() - 1];
        assertThat(in.readByte()).isEqualTo((byte) FrameType.WELCOME);
        in.readFully(welcome);
        byte[][] parts = Hello.split(welcome, Connection.PROOF_BYTES);
        SessionKeys keys = new SessionKeys(null, hello, parts[0]);
        assertThat(parts[1]).isEqualTo(keys.acceptorProof());
        return keys;
    }

    private static void writeBare(Socket socket, int type, byte[] content) throws IOException {
        socket.getOutputStream().write(bytes(FrameSeal.bare(UnpooledByteBufAllocator.DEFAULT, type, content)));
    }

    private static byte[] bytes(ByteBuf buffer) {
        try {
            return ByteBufUtil.getBytes(buffer);
        } finally {
            buffer.release();
        }
    }

    private static void drain(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // Hung up on with bytes unread: as good as an end.
            assertThat(e).isInstanceOf(SocketException.class);
        }
    }
}
