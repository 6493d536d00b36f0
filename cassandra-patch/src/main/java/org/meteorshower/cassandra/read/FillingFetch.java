/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;
import org.apache.cassandra.schema.TableId;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.tables.LiveTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Reads that this replica serves. While a table that was enabled, or moved, is being filled they are Cassandra's own at
 * QUORUM, and say so; not those that ask for more than the sequential mode. One that waits is looked at again and again
 * where the table may be read so yet. Thread-safe.
 */
public final class FillingFetch implements LocatedFetch {
    static final long LOOKED_AT_AGAIN_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ToLongFunction<UUID> plainAsOf;
    private final BiPredicate<TableId, Long> areEarlierOver;
    private final BiPredicate<TableId, UUID> isByItsRing;
    private final LocatedFetch cassandra;
    private final LocatedFetch here;

    /**
     * @param plainAsOf as {@link LiveTables#plainAsOf}
     * @param areEarlierOver waits, until the given time at most, for the names under which others may still serve the
     *     table since it was disabled; returns whether there is none
     * @param isByItsRing whether Cassandra goes by the ring that the table's name is about
     * @param cassandra its own read; the time that it gives as its cut is that of the latest write it shows
     */
    FillingFetch(
            ToLongFunction<UUID> plainAsOf,
            BiPredicate<TableId, Long> areEarlierOver,
            BiPredicate<TableId, UUID> isByItsRing,
            LocatedFetch cassandra,
            LocatedFetch here) {
        this.plainAsOf = plainAsOf;
        this.areEarlierOver = areEarlierOver;
        this.isByItsRing = isByItsRing;
        this.cassandra = cassandra;
        this.here = here;
    }

    /** The same, with Cassandra's own read. */
    public static FillingFetch over(
            LocalFetch here,
            ToLongFunction<UUID> plainAsOf,
            BiPredicate<TableId, Long> areEarlierOver,
            BiPredicate<TableId, UUID> isByItsRing) {
        return new FillingFetch(plainAsOf, areEarlierOver, isByItsRing, new PlainFetch(), here);
    }

    @Override
    public FetchedPartition fetch(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        while (true) {
            boolean sequential = terms.mode().kind() == ReadMode.Kind.SEQUENTIAL;
            long asOf = sequential ? plainAsOf.applyAsLong(read.key().table()) : LiveTables.NEVER;
            FetchedPartition fetched = asOf > 0 ? plainly(read, terms) : null;
            if (fetched != null) {
                return fetched;
            } else if (asOf == LiveTables.NEVER) {
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
    private @Nullable FetchedPartition plainly(LocatedRead read, ReadTerms terms)
            throws RequestRefusedException, InterruptedException {
        UUID name = read.key().table();
        TableId table = read.command().metadata().id;
        if (areEarlierOver.test(table, terms.deadlineNanos()) && isByItsRing.test(table, name)) {
            FetchedPartition fetched = cassandra.fetch(read, terms);
            long nowMicros = plainAsOf.applyAsLong(name);
            if (nowMicros > 0 && isByItsRing.test(table, name)) {
                long cutMicros = Math.max(nowMicros, fetched.info().cutMicros());
                return new FetchedPartition(fetched.rows(), new ReadInfo(cutMicros, Served.PLAIN, 0));
            }
            // Other nodes may serve the table by now, at cuts that do not show what this read did; or it went by a ring
            // whose replicas may not have what was visible.
        }
        return null;
    }
}
