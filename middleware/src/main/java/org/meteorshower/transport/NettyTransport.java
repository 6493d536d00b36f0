/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Transport;
import org.meteorshower.wan.WanEmulator;

/**
 * A {@link Transport} over TCP. Thread-safe. Its threads are daemons named {@code meteorshower-net}; the receiver is
 * called, and futures of calls are completed, on them.
 *
 * <p>With an emulated network every message, call and answer goes through it; chance loses messages only, of which the
 * protocol asks again for those it misses.
 */
public final class NettyTransport implements Transport {
    /** More than any cluster has nodes; beyond it connections are closed as they come. */
    private static final int MAX_INBOUND = 2_048;

    private final TransportOptions options;
    private final PeerDirectory directory;
    private final MessageCodec codec;
    private final @Nullable WanEmulator wan;
    private final IoKind io;
    private final TransportCounters counters = new TransportCounters();
    private final ReceivedCounts received = new ReceivedCounts();
    private final RefusalLog log = new RefusalLog();
    private final ByteAccount outgoing;
    private final ByteAccount incoming;
    private final EventLoopGroup loops;
    private final ByteBufAllocator memory;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Map<NodeId, PeerLink> links = new ConcurrentHashMap<>();
    private final Map<NodeId, Channel> inbound = new ConcurrentHashMap<>();
    private volatile @Nullable Ends ends;
    private volatile @Nullable Channel server;
    private volatile boolean closed;

    /** @param wan the emulated network, or null for none */
    public NettyTransport(
            TransportOptions options,
            PeerDirectory directory,
            MessageCodec codec,
            @Nullable WanEmulator wan,
            IoKind io) {
        this.options = options;
        this.directory = directory;
        this.codec = codec;
        this.wan = wan;
        this.io = io;
        this.outgoing = new ByteAccount(options.limits().maxOutgoingBytes());
        this.incoming = new ByteAccount(options.limits().maxIncomingBytes());
        this.loops = io.group().apply(options.limits().threads(), new DefaultThreadFactory("meteorshower-net", true));
        this.memory = ConnectionMemory.of(options.limits().threads());
    }

    /**
     * Listens, and from now on sends. Called once.
     *
     * @throws TransportStartException if the port cannot be had; the transport is closed then
     */
    public void start(Receiver receiver) throws TransportStartException {
        Ends made = new Ends(options, directory, codec, wan, receiver, counters, received, log, outgoing, incoming);
        ends = made;
        var binding = new ServerBootstrap()
                .group(loops)
                .channel(io.server())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 128)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, memory)
                .childHandler(accepting(made))
                .bind(options.listen())
                .awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            close();
            throw new TransportStartException(options.listen(), cause);
        }
        server = binding.channel();
        var unused = loops.next().scheduleWithFixedDelay(this::forgetStrangers, 1, 1, TimeUnit.SECONDS);
    }

    /** Where it listens; the port that was given if the options left it open. */
    public InetSocketAddress address() {
        Channel listening = server;
        if (listening == null) {
            throw new IllegalStateException("not started");
        }
        return (InetSocketAddress) listening.localAddress();
    }

    public TransportCounters counters() {
        return counters;
    }

    /**
     * What went to each peer that this node has had anything for. A peer that left the cluster or moved begins anew.
     */
    public Map<NodeId, PeerTraffic> traffic() {
        Map<NodeId, PeerTraffic> traffic = new HashMap<>();
        links.forEach((peer, link) -> traffic.put(peer, link.traffic()));
        return traffic;
    }

    /** What came from each peer, counted as {@link #traffic} does. A peer that left the cluster begins anew. */
    public Map<NodeId, PeerTraffic> received() {
        return received.all();
    }

    /** How many bytes wait for each peer, or are being written to its connection. */
    public Map<NodeId, Long> queuedBytes() {
        Map<NodeId, Long> queued = new HashMap<>();
        links.forEach((peer, link) -> queued.put(peer, link.queuedBytes()));
        return queued;
    }

    /** What waits for all peers, or is being written to their connections. */
    public ByteAccount outgoing() {
        return outgoing;
    }

    /** The requests of calls that are being served for other nodes. */
    public ByteAccount incoming() {
        return incoming;
    }

    @Override
    public void send(NodeId to, Message message) {
        PeerLink link = link(to);
        if (link == null) {
            counters.droppedUnreachable.increment();
            return;
        }
        int version = link.version();
        byte[] encoded = codec.encode(message, version);
        if (encoded.length > options.limits().maxFrameBytes()) {
            counters.droppedFull.increment();
            log.warn(
                    "too large for " + to,
                    "A " + message.getClass().getSimpleName() + " to node " + to + " is larger than the "
                            + options.limits().maxFrameBytes() + " bytes that a frame may have, and is not sent");
            return;
        }
        link.send(encoded, version);
    }

    /**
     * In which version to write to a peer: that of the present connection, or of the last one. Where there was none
     * yet, the newest that this node speaks.
     */
    public int version(NodeId to) {
        PeerLink link = links.get(to);
        return link == null ? options.versions().newest() : link.version();
    }

    /**
     * Sends bytes of which the protocol knows nothing, without blocking; dropped where the peer is not reached or too
     * much waits for it.
     *
     * @param versions in which the bytes are understood: they go by no connection of another one, even if it comes
     *     while they wait
     * @param twice whether to send them also on the connection that the peer has opened to this node, so that a loss on
     *     one holds nobody up
     * @return whether they were taken; they may be lost all the same
     */
    public boolean parcel(NodeId to, byte[] content, WireVersions versions, boolean twice) {
        PeerLink link = content.length > options.limits().maxFrameBytes() ? null : link(to);
        if (link == null) {
            counters.droppedUnreachable.increment();
            return false;
        }
        Channel back = twice ? inbound.get(to) : null;
        IncomingConnection acceptor = back == null ? null : back.pipeline().get(IncomingConnection.class);
        if (back != null && acceptor != null) {
            acceptor.sendParcel(back, content, versions);
        }
        return link.parcel(content, versions);
    }

    /** Whether the peer, as far as is known, is reached, and understands receipts. */
    public boolean carriesReceipts(NodeId peer) {
        PeerLink link = links.get(peer);
        return link != null && link.isReady() && link.version() >= MessageCodec.RECEIPTS_SINCE;
    }

    /**
     * Whether a connection with the peer stands, by whomever it was opened. That of a process that dies ends at once;
     * that of a machine that vanishes, or of a process that stands still, does not.
     */
    public boolean isConnected(NodeId peer) {
        PeerLink link = links.get(peer);
        return inbound.containsKey(peer) || (link != null && link.isReady());
    }

    @Override
    public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
        PeerLink link = request.length + 10 > options.limits().maxFrameBytes() ? null : link(to);
        if (link == null) {
            counters.callsFailed.increment();
            return CompletableFuture.failedFuture(new CallFailedException(
                    closed
                            ? "the transport is closed"
                            : request.length + 10 > options.limits().maxFrameBytes()
                                    ? "a request of " + request.length + " bytes is larger than a frame may be"
                                    : "node " + to + " is not known in the cluster",
                    false));
        }
        return link.call(request, timeout);
    }

    private @Nullable PeerLink link(NodeId to) {
        PeerLink link = links.get(to);
        if (link != null) {
            return link;
        }
        Ends known = ends;
        PeerDirectory.Peer place = directory.find(to);
        if (closed || known == null || place == null) {
            return null;
        }
        return links.computeIfAbsent(
                to,
                peer -> new PeerLink(known, peer, place, loops.next(), (loop, owner) -> new Bootstrap()
                        .group(loop)
                        .channel(io.client())
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.ALLOCATOR, memory)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                options.limits().handshakeMillis())
                        .handler(connecting(known, peer, place, owner))));
    }

    private ChannelHandler accepting(Ends known) {
        return new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channels.add(channel);
                InetSocketAddress from = channel.remoteAddress();
                if (closed || from == null || channels.size() > MAX_INBOUND) {
                    var unused = channel.close();
                    return;
                }
                TlsSettings tls = options.tls();
                if (tls != null) {
                    channel.pipeline().addLast(tlsHandler(tls.server().get(), channel, from));
                }
                FrameDecoder decoder = new FrameDecoder();
                // Twice as patient as the connector, which is to notice first.
                finish(
                        channel,
                        2 * options.limits().silenceMillis(),
                        decoder,
                        new IncomingConnection(known, decoder, (node, it) -> {
                            Channel earlier = inbound.put(node, it);
                            it.closeFuture().addListener(closing -> inbound.remove(node, it));
                            if (earlier != null) {
                                var unused = earlier.close();
                            }
                        }));
            }
        };
    }

    private ChannelHandler connecting(
            Ends known, NodeId peer, PeerDirectory.Peer place, OutgoingConnection.Owner owner) {
        return new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channels.add(channel);
                TlsSettings tls = options.tls();
                if (tls != null) {
                    channel.pipeline().addLast(tlsHandler(tls.client().get(), channel, place.address()));
                }
                FrameDecoder decoder = new FrameDecoder();
                finish(
                        channel,
                        options.limits().silenceMillis(),
                        decoder,
                        new OutgoingConnection(known, decoder, peer, owner));
            }
        };
    }

    /** @param peer the address that the other end's certificate must name, where names are verified */
    private SslHandler tlsHandler(SslContext context, SocketChannel channel, InetSocketAddress peer) {
        SslHandler handler = context.newHandler(channel.alloc(), peer.getHostString(), peer.getPort());
        TlsSettings tls = options.tls();
        if (tls != null && tls.verifyHostName()) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            handler.engine().setSSLParameters(parameters);
        }
        return handler;
    }

    private static void finish(SocketChannel channel, long silenceMillis, FrameDecoder decoder, Connection connection) {
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(64, true))
                .addLast(new IdleStateHandler(silenceMillis, 0, 0, TimeUnit.MILLISECONDS))
                .addLast(decoder)
                .addLast(connection);
    }

    /** Ends connections with nodes that have left the cluster or moved. */
    private void forgetStrangers() {
        links.forEach((node, link) -> {
            if (!link.place().equals(directory.find(node)) && links.remove(node, link)) {
                link.close("it left the cluster or moved");
            }
        });
        for (NodeId node : received.peers()) {
            if (directory.find(node) == null) {
                received.forget(node);
            }
        }
        inbound.forEach((node, channel) -> {
            if (directory.find(node) == null) {
                var unused = channel.close();
            }
        });
    }

    /**
     * Ends all connections; calls under way fail. No thread and no port is left, unless called on one of its threads.
     */
    @Override
    public void close() {
        closed = true;
        boolean own = false;
        for (var loop : loops) {
            own |= loop.inEventLoop();
        }
        Channel listening = server;
        if (listening != null) {
            var closing = listening.close();
            if (!own) {
                closing.awaitUninterruptibly(2_000);
            }
        }
        if (!loops.isShuttingDown()) {
            links.values().forEach(link -> link.close("the transport is closed"));
            var unused = channels.close();
        }
        var ending = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        if (!own) {
            ending.awaitUninterruptibly(5_000);
        }
    }
}
