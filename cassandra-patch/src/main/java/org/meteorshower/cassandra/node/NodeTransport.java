/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Transport;
import org.meteorshower.runtime.UpdateCodec;

/** Stands in until the Netty transport is there. */
final class NodeTransport implements Transport {
    static NodeTransport open(
            PluginConfig config,
            NodeId self,
            Journal.Contents contents,
            UpdateCodec codec,
            Transport.Receiver receiver,
            @Nullable EmulatedWan wan) {
        return new NodeTransport();
    }

    @Override
    public void send(NodeId to, Message message) {}

    @Override
    public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
        return CompletableFuture.failedFuture(new CallFailedException("no transport"));
    }

    @Override
    public void close() {}
}
