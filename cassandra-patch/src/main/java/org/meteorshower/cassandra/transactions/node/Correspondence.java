/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.runtime.Courier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node hears from others about a group's transactions, and what it says to them: parcels, calls, and large
 * messages in pieces. Thread-safe; does not block.
 */
final class Correspondence implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Correspondence.class);

    private final Post post;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final MessageCodec codec;
    private final Intake intake;
    private final LargeMessages large;
    private final LargeArrivals arrivals;
    private final ForwardedCalls calls;

    /**
     * @param snapshots what large messages may hold
     * @param owner hears what others say
     */
    Correspondence(
            DataCentres dataCentres,
            Representatives representatives,
            PeerFormats formats,
            Post post,
            ByteAccount snapshots,
            Intake.Owner owner) {
        this.post = post;
        this.representatives = representatives;
        this.formats = formats;
        codec = new MessageCodec(dataCentres.members());
        intake = new Intake(dataCentres::of, dataCentres.self(), representatives, formats, codec, owner);
        large = new LargeMessages(post::call, snapshots);
        arrivals = new LargeArrivals(intake::large, snapshots, System::nanoTime);
        calls = new ForwardedCalls(post);
    }

    /** What carries the messages of the process of this life. */
    Courier courier(long life) {
        return new NodeCourier(post, representatives, formats, codec, large::send, life);
    }

    /**
     * Asks the node that runs a data centre's process; fails with
     * {@link org.meteorshower.runtime.Transport.CallFailedException}.
     */
    CompletableFuture<byte[]> call(Representatives.Heard to, byte[] request, Duration timeout) {
        return calls.call(to, request, timeout);
    }

    /** The process of this life runs: who waits for an earlier one's answer waits in vain. */
    void superseded(long life) {
        calls.superseded(life);
    }

    /**
     * A parcel from a node whose identity the transport has checked.
     *
     * @param version of the connection that brought it
     */
    void parcel(NodeId from, byte[] bytes, int version) {
        intake.parcel(from, bytes, version);
    }

    /**
     * A call from a node whose identity the transport has checked.
     *
     * @param requests answers what is no piece of a message
     */
    CompletableFuture<byte[]> called(
            NodeId from, byte[] request, Function<CallForm, CompletableFuture<byte[]>> requests) {
        try {
            CallForm call = CallForm.decode(request);
            if (call instanceof CallForm.Piece piece) {
                return arrivals.received(from, piece)
                        ? CompletableFuture.completedFuture(new byte[0])
                        : CompletableFuture.failedFuture(new IllegalStateException("there is no room for it now"));
            }
            return requests.apply(call);
        } catch (BadDataException e) {
            bad(from, e);
            return CompletableFuture.failedFuture(new IllegalArgumentException(e.getMessage()));
        }
    }

    /** A node sent what makes no sense: it is logged now and then. */
    static void bad(NodeId from, BadDataException e) {
        NoSpamLogger.log(
                log,
                NoSpamLogger.Level.WARN,
                10,
                TimeUnit.SECONDS,
                "MeteorShower transactions: node {} sent what makes no sense: {}",
                from,
                e.getMessage());
    }

    @Override
    public void close() {
        large.close();
    }
}
