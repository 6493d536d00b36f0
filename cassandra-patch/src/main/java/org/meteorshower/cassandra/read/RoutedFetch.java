/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.tracing.Tracing;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Reads here where this node is a replica, elsewhere where it is not, or lacks what others have. A read that is served
 * elsewhere is one step of its session at another node: the token goes along, and what was seen comes back. One that
 * waits here is looked at again and again: that something is lacking may have been noticed meanwhile. Thread-safe.
 */
public final class RoutedFetch implements PartitionFetch {
    private static final long LOOKED_AT_AGAIN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final Predicate<LocatedRead> lacking;
    private final LocatedFetch here;
    private final LocatedFetch elsewhere;

    /** @param lacking whether others are asked first, although this node is a replica */
    public RoutedFetch(
            NodeId self,
            RingPlacement placement,
            EnabledTables enabled,
            Predicate<LocatedRead> lacking,
            LocatedFetch here,
            LocatedFetch elsewhere) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.lacking = lacking;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    public FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        LocatedRead read = LocatedRead.of(command, enabled, placement);
        if (!read.group().contains(self)) {
            return elsewhere.fetch(read, terms);
        }
        while (!lacking.test(read)) {
            try {
                return here.fetch(read, terms.until(System.nanoTime() + LOOKED_AT_AGAIN_AFTER_NANOS));
            } catch (RequestRefusedException e) {
                if (e.failure() != Failure.TIMED_OUT || terms.isOver()) {
                    throw e;
                }
            }
        }
        return elsewhereFirst(read, terms);
    }

    private FetchedPartition elsewhereFirst(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        try {
            return elsewhere.fetch(read, terms);
        } catch (RequestRefusedException e) {
            if (e.failure() != Failure.NOT_READY && e.failure() != Failure.TIMED_OUT) {
                throw e;
            }
            Tracing.trace("MeteorShower: {}; the read waits here", e.getMessage());
            return here.fetch(read, terms); // which says why, where it cannot either
        }
    }
}
