/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.driver.internal.core.protocol.FrameDecoder;
import com.datastax.oss.driver.internal.core.protocol.FrameEncoder;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;

/** A server that speaks enough of the native protocol, version 4, for the driver to take it for a node. */
final class FakeNode {

    private static final int MAX_FRAME_BYTES = 1 << 20;

    final String name;
    final UUID hostId = UUID.randomUUID();
    private final Channel server;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    FakeNode(String name, EventLoopGroup threads, FakeProtocol protocol) throws InterruptedException {
        this.name = name;
        this.server = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        FrameCodec<ByteBuf> codec = FrameCodec.defaultServer(
                                new ByteBufPrimitiveCodec(ByteBufAllocator.DEFAULT), Compressor.none());
                        channel.pipeline()
                                .addLast(new FrameDecoder(codec, MAX_FRAME_BYTES))
                                .addLast(new FrameEncoder(codec, MAX_FRAME_BYTES))
                                .addLast(new Answering(protocol));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Closes the port and every connection, as the death of the process would. */
    void kill() {
        server.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private final class Answering extends SimpleChannelInboundHandler<Frame> {

        private final FakeProtocol protocol;

        Answering(FakeProtocol protocol) {
            this.protocol = protocol;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame request) {
            Reply reply = protocol.answer(FakeNode.this, request);
            if (Reply.HANG_UP.equals(reply)) {
                ChannelFuture ignored = context.close();
            } else if (reply != null) {
                Frame response = Frame.forResponse(
                        request.protocolVersion, request.streamId, null, reply.payload(), List.of(), reply.message());
                ChannelFuture ignored = context.writeAndFlush(response);
            }
        }
    }
}
