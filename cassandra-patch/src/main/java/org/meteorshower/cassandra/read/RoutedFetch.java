/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int SHORT_WAITS = 3;
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final OthersFirst others;
    private final LocatedFetch here;
    private final LocatedFetch elsewhere;

    /** @param others when they are asked first, although this node is a replica */
    public RoutedFetch(
            NodeId self,
            RingPlacement placement,
            EnabledTables enabled,
            OthersFirst others,
            LocatedFetch here,
            LocatedFetch elsewhere) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.others = others;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    public FetchedPartition fetch(SinglePartitionReadCommand command, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        int waits = 0;
        while (true) {
            LocatedRead read = LocatedRead.of(command, enabled, placement);
            boolean beginning = enabled.isBeginning(command.metadata().id);
            try {
                return fetchOnce(read, terms, waits);
            } catch (RequestRefusedException e) {
                if (terms.isOver() || !(mayBeOtherwise(read, e) || (beginning && e.failure() == Failure.NOT_READY))) {
                    throw e;
                }
                if (e.failure() == Failure.TIMED_OUT) {
                    waits++;
                } else {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private FetchedPartition fetchOnce(LocatedRead read, ReadTerms terms, int waits)
            throws RequestRefusedException, InterruptedException {
        if (!read.group().contains(self)) {
            return elsewhere.fetch(read, terms);
        }
        return others.atOnce(read, terms.mode()) || (waits > 0 && others.afterAWait(read, terms.mode()))
                ? elsewhereFirst(read, terms, waits)
                : hereForAWhile(read, terms, waits);
    }

    /**
     * Each time it begins anew; only what waits for longer asks the others for their status ({@code pull_after_ms}).
     */
    private FetchedPartition hereForAWhile(LocatedRead read, ReadTerms terms, int waits)
            throws RequestRefusedException, InterruptedException {
        long nanos = waits < SHORT_WAITS ? FillingFetch.LOOKED_AT_AGAIN_AFTER_NANOS : LONG_WAIT_NANOS;
        return here.fetch(read, terms.until(System.nanoTime() + nanos));
    }

    /**
     * Whether it has waited, or the table's partitions move: then it goes by another name by now, or those that this
     * node takes for the replicas have just begun to be, or are not any more.
     */
    private boolean mayBeOtherwise(LocatedRead read, RequestRefusedException e) {
        UUID name = enabled.idOf(read.command().metadata().id);
        return e.failure() == Failure.TIMED_OUT
                || (name != null
                        && (e.failure() == Failure.NOT_READY || e.failure() == Failure.NOT_A_REPLICA)
                        && !(name.equals(read.key().table()) && read.group().contains(self)));
    }

    private FetchedPartition elsewhereFirst(LocatedRead read, ReadTerms terms, int waits)
            throws RequestRefusedException, InterruptedException {
        try {
            return elsewhere.fetch(read, terms);
        } catch (RequestRefusedException e) {
            if (e.failure() != Failure.NOT_READY && e.failure() != Failure.TIMED_OUT) {
                throw e;
            }
            Tracing.trace("MeteorShower: {}; the read waits here", e.getMessage());
            return hereForAWhile(read, terms, waits); // which says why, where it cannot either
        }
    }
}
