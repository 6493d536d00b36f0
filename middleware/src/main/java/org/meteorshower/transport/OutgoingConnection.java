/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/** The end of a connection that this node opened: sends, and takes the answers to its calls. */
final class OutgoingConnection extends Connection {
    /** What becomes of the connection. Called on the loop. */
    interface Owner {
        void ready(OutgoingConnection connector);

        void answered(long call, byte[] answer);

        void failed(long call, String reason);

        void closed(OutgoingConnection connector);
    }

    private final NodeId peer;
    private final Owner owner;
    private byte[] ownHello = {};
    private int version;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> pings;

    OutgoingConnection(Ends ends, FrameDecoder decoder, NodeId peer, Owner owner) {
        super(ends, decoder);
        this.peer = peer;
        this.owner = owner;
    }

    @Override
    String other() {
        return "node " + peer;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        context = active;
        super.channelActive(active);
        // With TLS the bytes wait in its handler until it has agreed with the other end.
        ownHello = hello(peer).encode();
        writeBare(active, FrameType.HELLO, ownHello);
    }

    @Override
    void handshake(ChannelHandlerContext active, int type, byte[] content)
            throws BadMessageException, RefusedException {
        if (type != FrameType.WELCOME) {
            throw new BadMessageException("frame type " + type + " has no place in the handshake");
        }
        byte[][] parts = Hello.split(content, PROOF_BYTES);
        WireInput in = new WireInput(parts[0]);
        Hello theirs = Hello.decode(in, ends.options().versions());
        in.end();
        version = ends.options().versions().common(theirs.versions());
        theirs.check(ends.options().clusterName(), ends.options().node(), peer);
        authenticate(active, PeerAuthenticator.OpenedBy.THIS_NODE);
        SessionKeys keys = new SessionKeys(ends.options().secret(), ownHello, parts[0]);
        if (!MessageDigest.isEqual(parts[1], keys.acceptorProof())) {
            throw new RefusedException("the shared secret differs; set the same on all nodes");
        }
        writeBare(active, FrameType.PROOF, keys.connectorProof());
        ready(keys.toConnector(), keys.toAcceptor());
        long pingMillis = Math.max(1, ends.options().limits().silenceMillis() / 5);
        pings = active.executor().scheduleAtFixedRate(this::ping, pingMillis, pingMillis, TimeUnit.MILLISECONDS);
        owner.ready(this);
    }

    @Override
    void frame(ChannelHandlerContext active, int type, byte[] content) throws BadMessageException {
        switch (type) {
            case FrameType.ANSWER -> {
                WireInput in = new WireInput(content);
                long call = in.varint();
                owner.answered(call, Arrays.copyOfRange(content, content.length - in.remaining(), content.length));
            }
            case FrameType.FAILURE -> {
                WireInput in = new WireInput(content);
                long call = in.varint();
                owner.failed(call, new String(in.raw(in.remaining()), StandardCharsets.UTF_8));
            }
            case FrameType.PONG -> {}
            case FrameType.PARCEL -> parcel(peer, content, version);
            default -> throw new BadMessageException("frame type " + type + " is not known");
        }
    }

    /** Of the messages on this connection, once it is ready. */
    int version() {
        return version;
    }

    /** Writes a frame; {@link #flush} sends it. Runs {@code done} when the bytes are no longer held here. */
    void send(int type, byte[] content, Runnable done) {
        ChannelHandlerContext active = context;
        if (active == null) {
            throw new IllegalStateException("not connected");
        }
        var unused = write(active, type, content).addListener(written -> done.run());
    }

    void flush() {
        if (context != null) {
            context.flush();
        }
    }

    void close() {
        if (context != null) {
            close(context);
        }
    }

    private void ping() {
        send(FrameType.PING, new byte[0], () -> {});
        flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        if (pings != null) {
            var unused = pings.cancel(false);
        }
        owner.closed(this);
        inactive.fireChannelInactive();
    }
}
