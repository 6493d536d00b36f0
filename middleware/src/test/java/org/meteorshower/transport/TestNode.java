/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Transport;
import org.meteorshower.transport.TransportOptions.Limits;
import org.meteorshower.wan.WanEmulator;

/** A node of a test: a transport on a free port of the loopback, and what it received. */
final class TestNode implements AutoCloseable, Transport.Receiver {
    static final Limits LIMITS = new Limits(1 << 20, 4 << 20, 64, 20, 200, 1_000, 5_000, 1);

    /** The cluster: shared by the nodes of one test. */
    static final class Cluster {
        final Map<NodeId, PeerDirectory.Peer> peers = new ConcurrentHashMap<>();
    }

    final NodeId id;
    final InetSocketAddress listen;
    final NettyTransport transport;
    final ConcurrentLinkedQueue<Message> received = new ConcurrentLinkedQueue<>();
    volatile Function<byte[], CompletableFuture<byte[]>> server = CompletableFuture::completedFuture;

    TestNode(
            Cluster cluster,
            long number,
            Function<TransportOptions, TransportOptions> change,
            @Nullable WanEmulator wan)
            throws Exception {
        this(cluster, number, freePort(number), change, wan);
    }

    TestNode(
            Cluster cluster,
            long number,
            InetSocketAddress listen,
            Function<TransportOptions, TransportOptions> change,
            @Nullable WanEmulator wan)
            throws Exception {
        this.id = NodeId.of(number);
        this.listen = listen;
        cluster.peers.put(id, new PeerDirectory.Peer(listen, "dc" + number));
        TransportOptions options = change.apply(new TransportOptions(
                "test", id, 1, "dc" + number, listen, null, null, PeerAuthenticator.ALLOW_ALL, LIMITS));
        transport = new NettyTransport(
                options,
                node -> node.equals(id) ? null : cluster.peers.get(node),
                new MessageCodec(StringUpdate.CODEC),
                wan,
                IoKind.NIO);
        transport.start(this);
    }

    /** Node n of a test has the address 127.0.0.n. */
    static InetSocketAddress freePort(long number) throws Exception {
        InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return new InetSocketAddress(address, socket.getLocalPort());
        }
    }

    @Override
    public void received(NodeId from, Message message) {
        received.add(message);
        if (message instanceof Message.Stale) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Override
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        return server.apply(request);
    }

    /** Sends until something arrives, since messages may be lost while nodes connect. */
    static void connect(TestNode from, TestNode to) throws InterruptedException {
        int before = to.received.size();
        await(() -> {
            from.transport.send(to.id, new Message.Pull(0));
            return to.received.size() > before;
        });
        Thread.sleep(50);
        to.received.clear();
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 500 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        transport.close();
    }
}
