/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.wan.Traffic;
import org.meteorshower.wan.WanEmulator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a connection that another node opened: takes its messages, and answers its calls. */
final class IncomingConnection extends Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final int MAX_FAILURE_CHARS = 1_000;

    /** What a call takes beside its request or answer, about. */
    private static final int CALL_BYTES = 256;

    private final BiConsumer<NodeId, Channel> admitted;
    private final AtomicInteger callsUnderWay = new AtomicInteger();

    /** What waits on this connection to be sent. */
    private final ByteAccount answers;

    private @Nullable NodeId peer;
    private @Nullable String peerDc;
    private @Nullable SessionKeys keys;

    /** Of the messages on this connection; known from the hello on. */
    private int version;

    /** @param admitted is told of a connection that passed the handshake */
    IncomingConnection(Ends ends, FrameDecoder decoder, BiConsumer<NodeId, Channel> admitted) {
        super(ends, decoder);
        this.answers = new ByteAccount(ends.options().limits().maxQueuedBytes());
        this.admitted = admitted;
    }

    @Override
    String other() {
        return (peer == null ? "a node" : "node " + peer) + " at " + remote();
    }

    @Override
    void handshake(ChannelHandlerContext context, int type, byte[] content)
            throws BadMessageException, RefusedException {
        if (type == FrameType.HELLO && keys == null) {
            welcome(context, content);
        } else if (type == FrameType.PROOF && keys != null && peer != null) {
            if (!MessageDigest.isEqual(content, keys.connectorProof())) {
                throw new RefusedException("the shared secret differs; set the same on all nodes");
            }
            ready(keys.toAcceptor(), keys.toConnector());
            admitted.accept(peer, context.channel());
        } else {
            throw new BadMessageException("frame type " + type + " has no place in the handshake");
        }
    }

    private void welcome(ChannelHandlerContext context, byte[] content) throws BadMessageException, RefusedException {
        WireInput in = new WireInput(content);
        Hello theirs = Hello.decode(in, ends.options().versions());
        in.end();
        version = ends.options().versions().common(theirs.versions());
        theirs.check(ends.options().clusterName(), ends.options().node(), null);
        PeerDirectory.Peer known = ends.directory().find(theirs.node());
        if (known == null) {
            throw new RefusedException("node " + theirs.node() + " is not a member of the cluster as known here");
        }
        TlsSettings tls = ends.options().tls();
        if ((tls == null || !tls.clientAuthentication())
                && !address(context).equals(known.address().getAddress())) {
            throw new RefusedException("node " + theirs.node() + " is known at "
                    + known.address().getAddress() + ", not at " + address(context));
        }
        authenticate(context, PeerAuthenticator.OpenedBy.OTHER);
        peer = theirs.node();
        peerDc = known.dataCenter();
        byte[] own = hello(theirs.node()).encode();
        SessionKeys derived = new SessionKeys(ends.options().secret(), content, own);
        keys = derived;
        writeBare(
                context,
                FrameType.WELCOME,
                new WireOutput(own.length + PROOF_BYTES)
                        .raw(own)
                        .raw(derived.acceptorProof())
                        .toBytes());
    }

    @Override
    void frame(ChannelHandlerContext context, int type, byte[] content) throws BadMessageException {
        NodeId from = peer;
        if (from == null) {
            throw new IllegalStateException("a frame from nobody");
        }
        switch (type) {
            case FrameType.MESSAGE -> message(from, content);
            case FrameType.CALL -> call(context, from, content);
            case FrameType.PARCEL -> parcel(from, content, version);
            case FrameType.PING -> {
                var unused = write(context, FrameType.PONG, content);
                context.flush();
            }
            default -> throw new BadMessageException("frame type " + type + " is not known");
        }
    }

    /**
     * Sends bytes against the usual direction: a second way to the peer. Dropped where too much is on this one already.
     *
     * @param versions in which they are understood; dropped where this connection's is none of them
     */
    void sendParcel(Channel channel, byte[] content, WireVersions versions) {
        ChannelHandlerContext context = channel.pipeline().context(this);
        String to = peerDc;
        if (context == null || to == null || !channel.isWritable()) {
            return;
        }
        int held = content.length + CALL_BYTES;
        if (!reserve(held)) {
            return;
        }
        Runnable send = () -> {
            try {
                context.executor().execute(() -> sendParcel(context, channel, content, versions, held));
            } catch (RejectedExecutionException e) {
                release(held); // the transport is closed
            }
        };
        WanEmulator wan = ends.wan();
        if (wan == null) {
            send.run();
        } else {
            wan.submit(ends.options().dataCenter(), to, Traffic.DATAGRAM, send, () -> {
                release(held);
                ends.counters().droppedByWan.increment();
            });
        }
    }

    private void sendParcel(
            ChannelHandlerContext context, Channel channel, byte[] content, WireVersions versions, int held) {
        if (channel.isActive() && channel.isWritable() && isReady() && versions.includes(version)) {
            ends.counters().sent.increment();
            var unused = write(context, FrameType.PARCEL, content).addListener(done -> release(held));
            context.flush();
        } else {
            release(held);
        }
    }

    private void message(NodeId from, byte[] content) throws BadMessageException {
        try {
            Message message = ends.codec().decode(content, version);
            ends.counters().received.increment();
            ends.received().add(from, content.length);
            ends.receiver().received(from, message);
        } catch (UndecodableUpdateException e) {
            ends.counters().undecodable.increment();
            ends.log().warn("undecodable " + from, "A message of node " + from + " was dropped: " + e.getMessage());
        } catch (RuntimeException e) {
            ends.counters().receiverFailures.increment();
            LOG.error("A message of node {} could not be handled", from, e);
        }
    }

    private void call(ChannelHandlerContext context, NodeId from, byte[] content) throws BadMessageException {
        WireInput in = new WireInput(content);
        long number = in.varint();
        byte[] request = Arrays.copyOfRange(content, content.length - in.remaining(), content.length);
        if (callsUnderWay.incrementAndGet() > ends.options().limits().maxCalls()) {
            answer(context, number, null, new IllegalStateException("too many calls under way"));
            return;
        }
        int held = request.length + CALL_BYTES;
        if (!ends.incoming().take(held)) {
            answer(context, number, null, new IllegalStateException("the node asked has too much to serve already"));
            return;
        }
        CompletableFuture<byte[]> future;
        try {
            future = ends.receiver().called(from, request);
        } catch (RuntimeException | Error e) {
            Fatal.report(e);
            ends.counters().receiverFailures.increment();
            LOG.error("A call of node {} could not be handled", from, e);
            future = CompletableFuture.failedFuture(e);
        }
        var unused = future.whenComplete((answer, failure) -> {
            ends.incoming().giveBack(held);
            try {
                answer(context, number, answer, failure);
            } catch (Error e) {
                Fatal.report(e); // the future would keep it to itself
                throw e;
            }
        });
    }

    /** A peer that does not read its answers gets no more of them than this node has room for. */
    private void answer(
            ChannelHandlerContext context, long number, byte @Nullable [] answer, @Nullable Throwable failure) {
        int largest = ends.options().limits().maxFrameBytes() - 10;
        if (answer == null || answer.length > largest) {
            fail(context, number, reason(answer, failure));
        } else if (!reserve(answer.length + CALL_BYTES)) {
            fail(context, number, "too much waits already to be sent from the node asked");
        } else {
            byte[] content = new WireOutput(16 + answer.length)
                    .varint(number)
                    .raw(answer)
                    .toBytes();
            send(context, FrameType.ANSWER, content, answer.length + CALL_BYTES);
        }
    }

    /** Word of a failure is small, and there are no more of them than calls: it has room always. */
    private void fail(ChannelHandlerContext context, long number, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        answers.takeAnyway(text.length + CALL_BYTES);
        ends.outgoing().takeAnyway(text.length + CALL_BYTES);
        byte[] content =
                new WireOutput(16 + text.length).varint(number).raw(text).toBytes();
        send(context, FrameType.FAILURE, content, text.length + CALL_BYTES);
    }

    private boolean reserve(int held) {
        if (!answers.take(held)) {
            return false;
        }
        if (!ends.outgoing().take(held)) {
            answers.giveBack(held);
            return false;
        }
        return true;
    }

    private void release(int held) {
        answers.giveBack(held);
        ends.outgoing().giveBack(held);
    }

    private void sent(int held) {
        callsUnderWay.decrementAndGet();
        release(held);
    }

    private void send(ChannelHandlerContext context, int type, byte[] content, int held) {
        Runnable send = () -> {
            try {
                context.executor().execute(() -> {
                    if (context.channel().isActive()) {
                        var unused = write(context, type, content).addListener(done -> sent(held));
                        context.flush();
                    } else {
                        sent(held);
                    }
                });
            } catch (RejectedExecutionException e) {
                sent(held); // the transport is closed
            }
        };
        WanEmulator wan = ends.wan();
        String to = peerDc;
        if (wan == null || to == null) {
            send.run();
        } else {
            // Dropped by a cut, the caller's time-out tells; the place must become free all the same.
            wan.submit(ends.options().dataCenter(), to, Traffic.STREAM, send, () -> sent(held));
        }
    }

    private static String reason(byte @Nullable [] answer, @Nullable Throwable failure) {
        if (answer != null) {
            return "the answer of " + answer.length + " bytes is larger than a frame may be";
        }
        if (failure == null) {
            return "the receiver gave no answer";
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return text.length() <= MAX_FAILURE_CHARS ? text : text.substring(0, MAX_FAILURE_CHARS);
    }
}
