/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.cassandra.net.ForwardedScans;
import org.meteorshower.cassandra.net.MissedCalls;
import org.meteorshower.cassandra.net.RepairCalls;
import org.meteorshower.cassandra.net.TakingPartCalls;
import org.meteorshower.cassandra.net.TicketsForOthers;
import org.meteorshower.cassandra.transactions.node.TransactionsNode;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands what comes from other nodes to the protocol, and calls to those who answer them. Thread-safe. */
record NodeReceiver(
        MeteorShower meteorShower,
        ForwardedReads forwarded,
        ForwardedScans scans,
        TicketsForOthers tickets,
        MissedCalls missed,
        RepairCalls repairs,
        TakingPartCalls takingPart,
        @Nullable TransactionsNode transactions)
        implements Transport.Receiver {
    private static final Logger log = LoggerFactory.getLogger(NodeReceiver.class);

    @Override
    public void received(NodeId from, Message message) {
        try {
            meteorShower.received(from, message);
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
    public void parcel(NodeId from, byte[] content, int version) {
        if (transactions != null) {
            transactions.parcel(from, content, version);
        }
    }

    @Override
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        if (MissedCalls.isOne(request)) {
            return missed.called(from, request);
        } else if (RepairCalls.isOne(request)) {
            return repairs.called(from, request);
        } else if (TakingPartCalls.isOne(request)) {
            return takingPart.called(request);
        } else if (ForwardedScans.isOne(request)) {
            return scans.called(from, request);
        } else if (TicketsForOthers.isOne(request)) {
            return tickets.called(from, request);
        } else if (!TransactionsNode.isCall(request)) {
            return forwarded.called(request);
        } else if (transactions != null) {
            return transactions.called(from, request);
        }
        return CompletableFuture.failedFuture(
                new IllegalStateException("transactions are not configured at the node asked"));
    }
}
