/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.tracing.Tracing;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.LocatedRead;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;

/**
 * Lets a live replica serve a read, and the next one where that cannot: this rack's first, then this data centre's,
 * then others, and among equals the lowest host id. How far away data centres are is not measured. Thread-safe.
 */
public final class ForwardedFetch implements LocatedFetch {
    private final NodeId self;
    private final Transport transport;
    private final LongConsumer observed;

    /** @param observed hears the cut of each answer before it is passed on */
    public ForwardedFetch(NodeId self, Transport transport, LongConsumer observed) {
        this.self = self;
        this.transport = transport;
        this.observed = observed;
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        List<NodeId> replicas = NearestReplicas.of(read.group());
        replicas.remove(self);
        Failure failure = Failure.TIMED_OUT;
        String trouble = "no other replica of the partition is alive";
        for (int i = 0; i < replicas.size(); i++) {
            NodeId replica = replicas.get(i);
            // A replica that hangs must leave time for the others.
            long remainingMicros = (terms.deadlineNanos() - System.nanoTime()) / 1_000 / (replicas.size() - i);
            if (remainingMicros <= 0) {
                break;
            }
            try {
                return ask(replica, read.command(), terms, remainingMicros);
            } catch (ExecutionException | IllegalArgumentException e) {
                Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                failure = Failure.TIMED_OUT;
                trouble = "replica " + replica + ": " + cause.getMessage();
            } catch (RequestRefusedException e) {
                if (!mayBeOtherwiseElsewhere(e.failure())) {
                    throw e;
                }
                failure = e.failure();
                trouble = "replica " + replica + ": " + e.getMessage();
            }
            Tracing.trace("MeteorShower: {}", trouble);
        }
        throw new RequestRefusedException(failure, "no replica served the read; " + trouble);
    }

    /** Also of one that has just left the ring, or has not answered in its share of the time. */
    private static boolean mayBeOtherwiseElsewhere(Failure failure) {
        return failure == Failure.NOT_READY || failure == Failure.NOT_A_REPLICA || failure == Failure.TIMED_OUT;
    }

    private FetchedPartition ask(
            NodeId replica, SinglePartitionReadCommand command, ReadTerms terms, long remainingMicros)
            throws RequestRefusedException, InterruptedException, ExecutionException {
        Tracing.trace("MeteorShower: forwarding the read to replica {}", replica);
        ReadRequest request = new ReadRequest(command, terms.tokenMicros(), terms.mode(), remainingMicros);
        byte[] answer = transport
                .call(replica, request.encode(), Duration.ofNanos(1_000 * remainingMicros))
                .get();
        FetchedPartition fetched = ReadResponse.decode(command, answer);
        observed.accept(fetched.info().cutMicros());
        return new FetchedPartition(fetched.rows(), fetched.info(), true);
    }
}
