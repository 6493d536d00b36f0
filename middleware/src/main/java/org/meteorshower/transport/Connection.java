/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Fatal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of one connection: first the handshake, then tagged frames. Everything runs on the channel's loop. Whatever
 * goes wrong closes this connection and nothing else.
 */
abstract class Connection extends SimpleChannelInboundHandler<byte[]> {
    static final int PROOF_BYTES = 32;
    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final int MAX_REASON_BYTES = 1_024;

    final Ends ends;
    private final FrameDecoder decoder;
    private String remote = "an unknown address";
    private @Nullable FrameSeal incoming;
    private @Nullable FrameSeal outgoing;

    Connection(Ends ends, FrameDecoder decoder) {
        this.ends = ends;
        this.decoder = decoder;
    }

    /** Takes a frame of the handshake. */
    abstract void handshake(ChannelHandlerContext context, int type, byte[] content)
            throws BadMessageException, RefusedException;

    /** Takes a frame after the handshake, its tag checked. */
    abstract void frame(ChannelHandlerContext context, int type, byte[] content) throws BadMessageException;

    /** How the other end is called in logs. */
    abstract String other();

    final boolean isReady() {
        return incoming != null;
    }

    final void ready(FrameSeal incomingSeal, FrameSeal outgoingSeal) {
        incoming = incomingSeal;
        outgoing = outgoingSeal;
        decoder.allow(ends.options().limits().maxFrameBytes() + 1 + FrameSeal.TAG_BYTES);
        ends.counters().connected.increment();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // Kept, because a closed channel no longer tells. Without the port, which differs each time.
        remote = String.valueOf(address(context));
        var unused = context.executor()
                .schedule(
                        () -> {
                            if (!isReady() && context.channel().isActive()) {
                                ends.log()
                                        .warn(
                                                "late " + other(),
                                                "The handshake with " + other() + " was not finished in time");
                                close(context);
                            }
                        },
                        ends.options().limits().handshakeMillis(),
                        TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    @Override
    protected final void channelRead0(ChannelHandlerContext context, byte[] frame) {
        if (!context.channel().isActive()) {
            return;
        }
        try {
            FrameSeal seal = incoming;
            if (seal != null) {
                byte[] content = seal.open(frame);
                frame(context, frame[0], content);
            } else {
                byte[] content = Arrays.copyOfRange(frame, 1, frame.length);
                if (frame[0] == FrameType.REFUSED) {
                    refusedByPeer(context, content);
                } else {
                    handshake(context, frame[0], content);
                }
            }
        } catch (BadMessageException e) {
            bad(context, e);
        } catch (RefusedException e) {
            refuse(context, e);
        }
    }

    /** Hands bytes that are not the protocol's to who wants them. */
    final void parcel(NodeId from, byte[] content, int version) {
        try {
            ends.counters().received.increment();
            ends.received().add(from, content.length);
            ends.receiver().parcel(from, content, version);
        } catch (RuntimeException e) {
            ends.counters().receiverFailures.increment();
            LOG.error("A parcel of node {} could not be handled", from, e);
        }
    }

    /** Writes a tagged frame; the caller flushes. */
    final ChannelFuture write(ChannelHandlerContext context, int type, byte[] content) {
        FrameSeal seal = outgoing;
        if (seal == null) {
            throw new IllegalStateException("no frames before the handshake is over");
        }
        return context.write(seal.seal(context.alloc(), type, content));
    }

    final void writeBare(ChannelHandlerContext context, int type, byte[] content) {
        var unused = context.writeAndFlush(FrameSeal.bare(context.alloc(), type, content));
    }

    final Hello hello(NodeId to) {
        TransportOptions self = ends.options();
        return new Hello(
                self.versions(),
                self.clusterName(),
                self.node(),
                self.incarnation(),
                to,
                UUID.randomUUID(),
                UUID.randomUUID());
    }

    /** The operator's own check. */
    final void authenticate(ChannelHandlerContext context, PeerAuthenticator.OpenedBy opened) throws RefusedException {
        if (!ends.options().authenticator().admits(address(context), certificates(context), opened)) {
            throw new RefusedException("the internode authenticator does not admit " + address(context));
        }
    }

    final String remote() {
        return remote;
    }

    final InetAddress address(ChannelHandlerContext context) {
        return ((InetSocketAddress) context.channel().remoteAddress()).getAddress();
    }

    private static List<Certificate> certificates(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls == null) {
            return List.of();
        }
        try {
            return List.of(tls.engine().getSession().getPeerCertificates());
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    private void refuse(ChannelHandlerContext context, RefusedException refusal) {
        ends.counters().refused.increment();
        ends.log()
                .warn(
                        "refused " + other() + refusal.getMessage(),
                        "Refused a connection with " + other() + ": " + refusal.getMessage());
        String text = refusal.getMessage();
        byte[] reason = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
        var unused = context.writeAndFlush(FrameSeal.bare(
                        context.alloc(),
                        FrameType.REFUSED,
                        Arrays.copyOf(reason, Math.min(reason.length, MAX_REASON_BYTES))))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private void refusedByPeer(ChannelHandlerContext context, byte[] reason) {
        ends.counters().refusedByPeer.increment();
        // What a stranger says is kept short and on one line.
        String text = new String(reason, 0, Math.min(reason.length, MAX_REASON_BYTES), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", " ");
        ends.log().warn("refused by " + other(), "This node was refused by " + other() + ": " + text);
        close(context);
    }

    private void bad(ChannelHandlerContext context, BadMessageException e) {
        ends.counters().badFrames.increment();
        ends.log()
                .warn(
                        "bad " + other(),
                        "Closed the connection with " + other() + ", which sent bytes that make no sense: "
                                + e.getMessage());
        close(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            LOG.info("Closed the connection with {}: nothing was heard for too long", other());
            close(context);
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        if (cause instanceof BadMessageException bad) {
            bad(context, bad);
            return;
        }
        if (cause instanceof SSLException) {
            ends.counters().refused.increment();
            ends.log().warn("tls " + other(), "TLS failed with " + other() + ": " + cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.debug("The connection with {} broke: {}", other(), cause.toString());
        } else {
            LOG.error("The connection with {} is closed because of an unexpected failure", other(), thrown);
        }
        close(context);
        Fatal.report(thrown);
        Fatal.report(cause);
    }

    static void close(ChannelHandlerContext context) {
        var unused = context.close();
    }
}
