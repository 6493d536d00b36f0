/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/** A network that brings nothing anywhere. */
class Silence implements Transport {
    @Override
    public void send(NodeId to, Message message) {}

    @Override
    public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
        return CompletableFuture.failedFuture(new CallFailedException("no calls here"));
    }

    @Override
    public void close() {}
}
