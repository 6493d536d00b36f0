/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.Transport;

/** One end of a connection without a network: brings it into a state, gives it bytes, and says what became of it. */
final class Conversation {
    /** What the end under test waits for. */
    enum State {
        BEFORE_HELLO,
        BEFORE_WELCOME,
        BEFORE_PROOF,
        READY
    }

    /** What a connection may do about what it receives. */
    enum Outcome {
        GOES_ON,
        CLOSED_FOR_A_REASON
    }

    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7600);

    private static final class Loopback extends EmbeddedChannel {
        @Override
        protected SocketAddress remoteAddress0() {
            return ADDRESS;
        }
    }

    private static final class Listener implements Transport.Receiver {
        @Override
        public void received(NodeId from, Message message) {}

        @Override
        public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
            return CompletableFuture.completedFuture(request);
        }
    }

    private static final class Nobody implements OutgoingConnection.Owner {
        @Override
        public void ready(OutgoingConnection connector) {}

        @Override
        public void answered(long call, byte[] answer) {}

        @Override
        public void failed(long call, String reason) {}

        @Override
        public void closed(OutgoingConnection connector) {}
    }

    private final TransportCounters counters = new TransportCounters();
    private final Loopback channel = new Loopback();
    private final Ends ends = new Ends(
            new TransportOptions(
                    "test", SELF, 1, "dc", ADDRESS, null, null, PeerAuthenticator.ALLOW_ALL, TestNode.LIMITS),
            node -> node.equals(PEER) ? new PeerDirectory.Peer(ADDRESS, "dc") : null,
            new MessageCodec(StringUpdate.CODEC),
            null,
            new Listener(),
            counters,
            new ReceivedCounts(),
            new RefusalLog(),
            new ByteAccount(1 << 20),
            new ByteAccount(1 << 20));

    private Conversation() {}

    static Hello hello(NodeId from, NodeId to) {
        return new Hello(WireVersions.ALL, "test", from, 7, to, new UUID(1, 2), new UUID(3, 4));
    }

    /** Input with which a connection in this state goes on. */
    static byte[] validInput(State state, SplittableRandom random) {
        return switch (state) {
            case BEFORE_HELLO -> frame(FrameType.HELLO, hello(PEER, SELF).encode());
            // Proofs depend on the connection's random numbers. Zeroes that were not damaged are replaced by the real
            // one.
            case BEFORE_PROOF -> frame(FrameType.PROOF, new byte[Connection.PROOF_BYTES]);
            case BEFORE_WELCOME -> {
                byte[] hello = hello(PEER, SELF).encode();
                yield frame(FrameType.WELCOME, Arrays.copyOf(hello, hello.length + Connection.PROOF_BYTES));
            }
            case READY -> validContent(random);
        };
    }

    /** A frame's type and content. */
    private static byte[] validContent(SplittableRandom random) {
        byte[] message = new MessageCodec(StringUpdate.CODEC).encode(new RandomMessages(random.nextLong()).next());
        byte[] typed = new byte[message.length + 1];
        typed[0] = (byte) (random.nextInt(3) == 0 ? FrameType.CALL : FrameType.MESSAGE);
        System.arraycopy(message, 0, typed, 1, message.length);
        return typed;
    }

    static Outcome outcome(State state, byte[] input) {
        return new Conversation().after(state, input);
    }

    private Outcome after(State state, byte[] input) {
        try {
            begin(state, input);
            channel.runPendingTasks();
            channel.checkException();
            if (counters.receiverFailures.sum() > 0) {
                throw new AssertionError("a message broke its decoder");
            }
            if (channel.isActive()) {
                return Outcome.GOES_ON;
            }
            if (counters.badFrames.sum() + counters.refused.sum() + counters.refusedByPeer.sum() == 0) {
                throw new AssertionError("the connection was closed, but not for what was received");
            }
            return Outcome.CLOSED_FOR_A_REASON;
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private void begin(State state, byte[] input) {
        FrameDecoder decoder = new FrameDecoder();
        if (state == State.BEFORE_WELCOME) {
            channel.pipeline().addLast(decoder, new OutgoingConnection(ends, decoder, PEER, new Nobody()));
            channel.pipeline().fireChannelActive();
            byte[] hello = sent();
            receive(isUndamaged(state, input) ? welcome(hello) : input);
            return;
        }
        channel.pipeline().addLast(decoder, new IncomingConnection(ends, decoder, (node, it) -> {}));
        channel.pipeline().fireChannelActive();
        if (state == State.BEFORE_HELLO) {
            receive(input);
            return;
        }
        byte[] hello = hello(PEER, SELF).encode();
        receive(frame(FrameType.HELLO, hello));
        byte[] welcome = sent();
        SessionKeys keys =
                new SessionKeys(null, hello, Arrays.copyOf(welcome, welcome.length - Connection.PROOF_BYTES));
        byte[] proof = frame(FrameType.PROOF, keys.connectorProof());
        if (state == State.BEFORE_PROOF) {
            receive(isUndamaged(state, input) ? proof : input);
            return;
        }
        receive(proof);
        FrameSeal seal = keys.toAcceptor();
        int type = input.length == 0 ? 0 : input[0];
        byte[] content = input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
        receive(seal.seal(UnpooledByteBufAllocator.DEFAULT, type, content));
    }

    private static boolean isUndamaged(State state, byte[] input) {
        return Arrays.equals(input, validInput(state, new SplittableRandom(0)));
    }

    private static byte[] welcome(byte[] theirs) {
        byte[] own = hello(PEER, SELF).encode();
        byte[] content = Arrays.copyOf(own, own.length + Connection.PROOF_BYTES);
        byte[] proof = new SessionKeys(null, theirs, own).acceptorProof();
        System.arraycopy(proof, 0, content, own.length, Connection.PROOF_BYTES);
        return frame(FrameType.WELCOME, content);
    }

    private void receive(byte[] bytes) {
        receive(Unpooled.wrappedBuffer(bytes));
    }

    private void receive(ByteBuf bytes) {
        if (channel.isActive()) {
            var unused = channel.writeInbound(bytes);
        } else {
            bytes.release();
        }
    }

    /** The content of the frame that the end under test has sent. */
    private byte[] sent() {
        channel.runPendingTasks();
        @Nullable ByteBuf frame = channel.readOutbound();
        if (frame == null) {
            throw new AssertionError("it sends nothing");
        }
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return Arrays.copyOfRange(bytes, 5, bytes.length);
    }

    private static byte[] frame(int type, byte[] content) {
        ByteBuf frame = FrameSeal.bare(UnpooledByteBufAllocator.DEFAULT, type, content);
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }
}
