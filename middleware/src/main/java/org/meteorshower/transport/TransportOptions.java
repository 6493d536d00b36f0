/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * Who this node is, where it listens, and its bounds.
 *
 * @param clusterName nodes of other clusters are refused
 * @param incarnation of this start
 * @param listen where to listen; with a definite address, connections are opened from it too, since peers check it
 * @param tls null for none
 * @param secret shared by all nodes of the cluster; without it nobody gets in or is believed. Null for none
 * @param limits bounds of time and memory
 * @param versions of the messages' format that this node speaks
 */
public record TransportOptions(
        String clusterName,
        NodeId node,
        long incarnation,
        String dataCenter,
        InetSocketAddress listen,
        @Nullable TlsSettings tls,
        @Nullable SharedSecret secret,
        PeerAuthenticator authenticator,
        Limits limits,
        WireVersions versions) {
    /** With all versions that there are. */
    public TransportOptions(
            String clusterName,
            NodeId node,
            long incarnation,
            String dataCenter,
            InetSocketAddress listen,
            @Nullable TlsSettings tls,
            @Nullable SharedSecret secret,
            PeerAuthenticator authenticator,
            Limits limits) {
        this(clusterName, node, incarnation, dataCenter, listen, tls, secret, authenticator, limits, WireVersions.ALL);
    }

    /** The name of the option that sets the port, for error messages. */
    public static final String PORT_OPTION = "transport.port";

    /**
     * @param maxFrameBytes the largest message, request or answer
     * @param maxQueuedBytes what may wait for one peer, messages delayed by the emulated network included
     * @param maxCalls calls under way to one peer, and from one peer
     * @param reconnectMinMillis the first wait after a connection failed; doubled each time
     * @param reconnectMaxMillis the longest such wait
     * @param handshakeMillis to connect, and then to finish the handshake
     * @param silenceMillis a connection that brings nothing for so long is closed; pings go out five times as often
     * @param threads event loops
     */
    public record Limits(
            int maxFrameBytes,
            long maxQueuedBytes,
            int maxCalls,
            long reconnectMinMillis,
            long reconnectMaxMillis,
            int handshakeMillis,
            long silenceMillis,
            int threads) {
        public static final Limits DEFAULTS = new Limits(16 << 20, 32L << 20, 4_096, 100, 2_000, 5_000, 10_000, 2);

        public Limits {
            if (maxFrameBytes < 1_024 || maxFrameBytes > 1 << 28 || maxQueuedBytes < maxFrameBytes) {
                throw new IllegalArgumentException("a frame must be 1 KiB..256 MiB (is " + maxFrameBytes
                        + "), and the queue of a peer (" + maxQueuedBytes + ") must hold one");
            }
            if (maxCalls < 1
                    || reconnectMinMillis < 1
                    || reconnectMaxMillis < reconnectMinMillis
                    || handshakeMillis < 1
                    || silenceMillis < 5
                    || threads < 1) {
                throw new IllegalArgumentException("the transport's bounds and waits must be positive");
            }
        }
    }
}
