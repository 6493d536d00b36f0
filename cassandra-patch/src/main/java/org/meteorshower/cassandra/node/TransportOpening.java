/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.net.InternodeTrust;
import org.meteorshower.cassandra.net.RingDirectory;
import org.meteorshower.runtime.Transport;
import org.meteorshower.transport.IoKind;
import org.meteorshower.transport.MessageCodec;
import org.meteorshower.transport.NettyTransport;
import org.meteorshower.transport.SharedSecret;
import org.meteorshower.transport.TlsSettings;
import org.meteorshower.transport.TransportOptions;
import org.meteorshower.transport.TransportStartException;
import org.meteorshower.transport.WireVersions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the transport between the nodes' plugins, and starts it. */
final class TransportOpening {
    private static final Logger log = LoggerFactory.getLogger(TransportOpening.class);

    private TransportOpening() {}

    static NettyTransport make(Foundation ground) {
        PluginConfig config = ground.config;
        String secret = config.transportSecret();
        TlsSettings tls = InternodeTrust.tls();
        InetSocketAddress listen = listen(config);
        if (tls == null && secret == null && !listen.getAddress().isLoopbackAddress()) {
            log.warn("MeteorShower: nodes know each other by their addresses alone, and whoever can listen between them"
                    + " reads rows: server_encryption_options in cassandra.yaml encrypts this port too, and"
                    + " transport.secret in meteorshower.yaml has nodes prove that they belong here");
        }
        TransportOptions options = new TransportOptions(
                DatabaseDescriptor.getClusterName(),
                ground.self,
                ground.contents.incarnation(),
                DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter(),
                listen,
                tls,
                secret == null ? null : new SharedSecret(secret),
                InternodeTrust.authenticator(),
                limits(ground.memory),
                WireVersions.upTo(config.newestVersion()));
        NettyTransport transport = new NettyTransport(
                options,
                new RingDirectory(ground.self, config.transportPort()),
                new MessageCodec(ground.codec),
                ground.wan == null ? null : ground.wan.emulator(),
                fastest());
        ground.memory.register(MemoryUser.MESSAGES_TO_SEND, transport.outgoing());
        ground.memory.register(MemoryUser.MESSAGES_RECEIVED, transport.incoming());
        return transport;
    }

    /** One peer that is slow leaves half of the room to the others, as far as that is enough for the largest write. */
    private static TransportOptions.Limits limits(MemoryBudget memory) {
        long all = memory.limit(MemoryUser.MESSAGES_TO_SEND);
        long one = Math.max(all / 2, memory.largestMessageBytes());
        return TransportOptions.Limits.DEFAULTS.within(one, all, memory.limit(MemoryUser.MESSAGES_RECEIVED));
    }

    /** @throws ConfigurationException if the address or port cannot be had */
    static void start(NettyTransport transport, Transport.Receiver receiver) {
        try {
            transport.start(receiver);
        } catch (TransportStartException e) {
            throw new ConfigurationException("MeteorShower: " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress listen(PluginConfig config) {
        String address = config.transportAddress();
        InetSocketAddress listen = address == null
                ? new InetSocketAddress(FBUtilities.getJustLocalAddress(), config.transportPort())
                : new InetSocketAddress(address, config.transportPort());
        if (listen.isUnresolved()) {
            throw new ConfigurationException("MeteorShower: option 'transport.address' is '" + address
                    + "', which is no address of this machine");
        }
        return listen;
    }

    private static IoKind fastest() {
        return Epoll.isAvailable()
                ? new IoKind(EpollEventLoopGroup::new, EpollServerSocketChannel.class, EpollSocketChannel.class)
                : IoKind.NIO;
    }
}
