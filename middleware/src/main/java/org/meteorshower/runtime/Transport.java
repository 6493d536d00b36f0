/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/** Carries messages and calls between nodes whose identity it has checked. Thread-safe. */
public interface Transport extends AutoCloseable {
    /**
     * Sends without blocking. In order towards one peer; dropped where the peer is not reached or its queue is full.
     */
    void send(NodeId to, Message message);

    /**
     * Asks a peer something, such as to serve a read that this node holds no replica for.
     *
     * @return the answer; or, exceptionally, {@link CallFailedException} when the peer cannot be reached, refuses, or
     *     does not answer in time. It never hangs longer than the time-out.
     */
    CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout);

    @Override
    void close();

    /** What a node does with what comes in. Called on the transport's threads; must not block. */
    interface Receiver {
        void received(NodeId from, Message message);

        /**
         * Bytes that somebody else than the protocol sent. In no order, and at times twice.
         *
         * @param version of the connection that brought them
         */
        default void parcel(NodeId from, byte[] content, int version) {}

        /** The answer to a call, now or later. A failure's message is carried to the caller. */
        CompletableFuture<byte[]> called(NodeId from, byte[] request);
    }

    /** A call that brought no answer. */
    final class CallFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        /** It may have arrived. */
        public CallFailedException(String message) {
            this(message, true);
        }

        /** @param sent whether it has left this node, so that the peer may have acted on it */
        public CallFailedException(String message, boolean sent) {
            super(message);
            this.sent = sent;
        }

        /** Whether the peer may have acted on it. If not, it never will. */
        public boolean isSent() {
            return sent;
        }
    }
}
