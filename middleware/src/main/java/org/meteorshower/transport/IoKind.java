/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;

/**
 * Which of Netty's implementations carries the bytes. Whoever has Netty's epoll on its class path, as Cassandra has,
 * can hand it in; here only the one that is always there is known.
 *
 * @param group makes the event loops: how many, and with which threads
 */
public record IoKind(
        BiFunction<Integer, ThreadFactory, EventLoopGroup> group,
        Class<? extends ServerSocketChannel> server,
        Class<? extends SocketChannel> client) {
    public static final IoKind NIO =
            new IoKind(NioEventLoopGroup::new, NioServerSocketChannel.class, NioSocketChannel.class);
}
