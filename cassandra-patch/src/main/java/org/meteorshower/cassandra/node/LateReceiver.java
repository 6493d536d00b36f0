/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the transport hands over to. The transport is made before what it hands over to is; messages that come earlier are
 * dropped, as any may be. Thread-safe.
 */
final class LateReceiver implements Transport.Receiver {
    private static final Logger log = LoggerFactory.getLogger(LateReceiver.class);

    private volatile @Nullable MeteorShower meteorShower;
    private volatile @Nullable ForwardedReads reads;

    void connect(MeteorShower shower, ForwardedReads forwarded) {
        reads = forwarded;
        meteorShower = shower;
    }

    @Override
    public void received(NodeId from, Message message) {
        MeteorShower shower = meteorShower;
        if (shower == null) {
            return;
        }
        try {
            shower.received(from, message);
        } catch (RuntimeException e) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower: could not take a message from {}",
                    from,
                    e);
        }
    }

    @Override
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        ForwardedReads forwarded = reads;
        return forwarded == null
                ? CompletableFuture.failedFuture(new IllegalStateException("the node is starting"))
                : forwarded.called(request);
    }
}
