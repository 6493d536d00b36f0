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
     * @param maxQueuedBytes what may wait for one peer, messages delayed by the emulated network included; what is
     *     larger waits alone
     * @param maxOutgoingBytes what may wait for all peers together, answers included, and be written to their
     *     connections
     * @param maxIncomingBytes the requests of calls that are being served, of all peers together
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
            long maxOutgoingBytes,
            long maxIncomingBytes,
            int maxCalls,
            long reconnectMinMillis,
            long reconnectMaxMillis,
            int handshakeMillis,
            long silenceMillis,
            int threads) {
        /** What a message has beside the mutation that it carries, at most. */
        public static final int BESIDE_A_MUTATION = 64 << 10;

        /** A frame takes the largest mutation that Cassandra takes by default. */
        public static final Limits DEFAULTS =
                new Limits((16 << 20) + BESIDE_A_MUTATION, 32L << 20, 4_096, 100, 2_000, 5_000, 10_000, 2);

        /** For all peers together four times as much as for one. */
        public Limits(
                int maxFrameBytes,
                long maxQueuedBytes,
                int maxCalls,
                long reconnectMinMillis,
                long reconnectMaxMillis,
                int handshakeMillis,
                long silenceMillis,
                int threads) {
            this(
                    maxFrameBytes,
                    maxQueuedBytes,
                    4 * maxQueuedBytes,
                    4 * maxQueuedBytes,
                    maxCalls,
                    reconnectMinMillis,
                    reconnectMaxMillis,
                    handshakeMillis,
                    silenceMillis,
                    threads);
        }

        /** These, within what a node may hold for one peer and for all of them. */
        public Limits within(long oneBytes, long outgoingBytes, long incomingBytes) {
            return new Limits(
                    maxFrameBytes,
                    Math.min(maxQueuedBytes, oneBytes),
                    outgoingBytes,
                    incomingBytes,
                    maxCalls,
                    reconnectMinMillis,
                    reconnectMaxMillis,
                    handshakeMillis,
                    silenceMillis,
                    threads);
        }

        public Limits {
            if (maxFrameBytes < 1_024 || maxFrameBytes > 1 << 28) {
                throw new IllegalArgumentException("a frame must be 1 KiB..256 MiB (is " + maxFrameBytes + ")");
            }
            if (maxQueuedBytes < 1
                    || maxOutgoingBytes < 1
                    || maxIncomingBytes < 1
                    || maxCalls < 1
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
