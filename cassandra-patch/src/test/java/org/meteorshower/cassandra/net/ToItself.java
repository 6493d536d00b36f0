/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Transport;

/** Whoever is called, the test's own side answers. */
record ToItself(Function<byte[], CompletableFuture<byte[]>> called) implements Transport {
    @Override
    public void send(NodeId to, Message message) {}

    @Override
    public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
        return called.apply(request);
    }

    @Override
    public void close() {}
}
