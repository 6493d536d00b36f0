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
import java.util.concurrent.atomic.AtomicLong;
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
    /** With patience for a machine that has just begun, or is busy. */
    static final Limits LIMITS = new Limits(1 << 20, 4 << 20, 64, 20, 200, 10_000, 20_000, 1);

    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int PORTS_TRIED = 10;
    private static final AtomicLong MARKS = new AtomicLong(1_000_000);

    /** The cluster: shared by the nodes of one test. */
    static final class Cluster {
        final Map<NodeId, PeerDirectory.Peer> peers = new ConcurrentHashMap<>();
    }

    final NodeId id;
    final InetSocketAddress listen;
    final NettyTransport transport;
    final ConcurrentLinkedQueue<Message> received = new ConcurrentLinkedQueue<>();

    /** Their text, and the version that they came by. */
    final ConcurrentLinkedQueue<String> parcels = new ConcurrentLinkedQueue<>();

    volatile Function<byte[], CompletableFuture<byte[]>> server = CompletableFuture::completedFuture;

    TestNode(
            Cluster cluster,
            long number,
            Function<TransportOptions, TransportOptions> change,
            @Nullable WanEmulator wan)
            throws Exception {
        this(cluster, number, freePort(number), change, wan, PORTS_TRIED);
    }

    /** On this very port. */
    TestNode(
            Cluster cluster,
            long number,
            InetSocketAddress listen,
            Function<TransportOptions, TransportOptions> change,
            @Nullable WanEmulator wan)
            throws Exception {
        this(cluster, number, listen, change, wan, 1);
    }

    /** @param ports how many to try: what was free a moment ago may be somebody else's now */
    TestNode(
            Cluster cluster,
            long number,
            InetSocketAddress listen,
            Function<TransportOptions, TransportOptions> change,
            @Nullable WanEmulator wan,
            int ports)
            throws Exception {
        this.id = NodeId.of(number);
        InetSocketAddress at = listen;
        NettyTransport started = null;
        for (int tried = 1; started == null; tried++) {
            cluster.peers.put(id, new PeerDirectory.Peer(at, "dc" + number));
            TransportOptions options = change.apply(new TransportOptions(
                    "test", id, 1, "dc" + number, at, null, null, PeerAuthenticator.ALLOW_ALL, LIMITS));
            NettyTransport transport = new NettyTransport(
                    options,
                    node -> node.equals(id) ? null : cluster.peers.get(node),
                    new MessageCodec(StringUpdate.CODEC),
                    wan,
                    IoKind.NIO);
            try {
                transport.start(this);
                started = transport;
            } catch (TransportStartException e) {
                transport.close();
                if (tried >= ports) {
                    throw e;
                }
                at = freePort(number);
            }
        }
        this.listen = at;
        this.transport = started;
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
    public void parcel(NodeId from, byte[] content, int version) {
        parcels.add(new String(content, StandardCharsets.UTF_8) + " in " + version);
    }

    @Override
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        return server.apply(request);
    }

    /** Sends until something arrives, since messages may be lost while nodes connect, and then until the last has. */
    static void connect(TestNode from, TestNode to) throws InterruptedException {
        int before = to.received.size();
        await(() -> {
            from.transport.send(to.id, new Message.Pull(0));
            return to.received.size() > before;
        });
        Message last = new Message.Pull(MARKS.incrementAndGet());
        from.transport.send(to.id, last);
        await(() -> to.received.contains(last));
        to.received.clear();
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos)
                    .as("ns until what is awaited comes true")
                    .isLessThan(PATIENCE_NANOS);
            Thread.sleep(10);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        transport.close();
    }
}
