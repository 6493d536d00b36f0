/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.schema.TableId;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.tables.LiveTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.PlainReads;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Reads that this replica serves. While a table that was enabled, or moved, is being filled they are Cassandra's own,
 * at QUORUM or of all replicas, and say so; not those that ask for more than the sequential mode. One that waits is
 * looked at again and again where the table may be read so yet; and so is one of all replicas that Cassandra fails.
 * Thread-safe.
 */
public final class FillingFetch implements LocatedFetch {
    static final long LOOKED_AT_AGAIN_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Function<UUID, LiveTables.Plain> plain;
    private final BiPredicate<TableId, Long> areEarlierOver;
    private final BiPredicate<TableId, UUID> isByItsRing;
    private final LocatedFetch atQuorum;
    private final LocatedFetch atAll;
    private final LocatedFetch here;

    /**
     * @param plain as {@link LiveTables#plain}
     * @param areEarlierOver waits, until the given time at most, for the names under which others may still serve the
     *     table since it was disabled; returns whether there is none
     * @param isByItsRing whether Cassandra goes by the ring that the table's name is about
     * @param atQuorum Cassandra's own read; the time that it gives as its cut is that of the latest write it shows
     * @param atAll the same of all replicas
     */
    FillingFetch(
            Function<UUID, LiveTables.Plain> plain,
            BiPredicate<TableId, Long> areEarlierOver,
            BiPredicate<TableId, UUID> isByItsRing,
            LocatedFetch atQuorum,
            LocatedFetch atAll,
            LocatedFetch here) {
        this.plain = plain;
        this.areEarlierOver = areEarlierOver;
        this.isByItsRing = isByItsRing;
        this.atQuorum = atQuorum;
        this.atAll = atAll;
        this.here = here;
    }

    /** The same, with Cassandra's own read. */
    public static FillingFetch over(
            LocalFetch here,
            Function<UUID, LiveTables.Plain> plain,
            BiPredicate<TableId, Long> areEarlierOver,
            BiPredicate<TableId, UUID> isByItsRing) {
        return new FillingFetch(
                plain,
                areEarlierOver,
                isByItsRing,
                new PlainFetch(ConsistencyLevel.QUORUM),
                new PlainFetch(ConsistencyLevel.ALL),
                here);
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        while (true) {
            boolean sequential = terms.mode().kind() == ReadMode.Kind.SEQUENTIAL;
            LiveTables.Plain now = sequential ? plain.apply(read.key().table()) : LiveTables.NEVER;
            FetchedPartition fetched = now.isAllowed() ? plainly(read, terms, now.reads()) : null;
            if (fetched != null) {
                return fetched;
            } else if (now.equals(LiveTables.NEVER)) {
                return here.fetch(read, terms);
            }
            try {
                return here.fetch(read, terms.until(System.nanoTime() + LOOKED_AT_AGAIN_AFTER_NANOS));
            } catch (RequestRefusedException e) {
                if (e.failure() != Failure.TIMED_OUT || terms.isOver()) {
                    throw e;
                }
            }
        }
    }

    /** By Cassandra; null where the table is not read so, or not any more. */
    private @Nullable FetchedPartition plainly(LocatedRead read, ReadTerms terms, PlainReads reads)
            throws RequestRefusedException, InterruptedException {
        UUID name = read.key().table();
        TableId table = read.command().metadata().id;
        if (areEarlierOver.test(table, terms.deadlineNanos()) && isByItsRing.test(table, name)) {
            FetchedPartition fetched = reads == PlainReads.AT_ALL ? ofAll(read, terms) : atQuorum.fetch(read, terms);
            LiveTables.Plain still = plain.apply(name);
            if (fetched != null && still.isAllowed() && isByItsRing.test(table, name)) {
                long cutMicros = Math.max(still.asOfMicros(), fetched.info().cutMicros());
                return new FetchedPartition(fetched.rows(), new ReadInfo(cutMicros, Served.PLAIN, 0));
            }
            // Other nodes may serve the table by now, at cuts that do not show what this read did; or it went by a ring
            // whose replicas may not have what was visible.
        }
        return null;
    }

    /** Null where a replica does not answer: soon a majority may be enough. */
    private @Nullable FetchedPartition ofAll(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        try {
            return atAll.fetch(read, terms);
        } catch (RequestExecutionException e) {
            return null;
        }
    }
}
