/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;

/**
 * When a node goes over from one epoch of a table to the next: not as soon as the schema tells of it, but some time
 * after the epoch was begun, when all are likely to know. For from the first node's going over to the last one's writes
 * wait. The epoch's number says when it was begun. Where a clock is off, a node goes over at once, or as long after it
 * has heard: nothing but the wait hangs on it. Thread-safe.
 */
final class HeadStart {
    /** A change of the schema takes as long where nodes have much to do: each writes some ten tables of it to files. */
    static final long MILLIS = 4_000;

    /** Who could not go over by then, since it does not see the ring, is not about to. */
    private static final long ABOUT_TO_MILLIS = MILLIS + 1_000;

    private record Seen(TableEpoch epoch, long millis) {}

    private final LongSupplier clockMillis;
    private final LongSupplier elapsedMillis;

    /** By table, the epoch that this node knows of, and has not gone over to. */
    private final Map<TableId, Seen> seen = new HashMap<>();

    /**
     * @param clockMillis the time of day, as {@link TableEpoch#number} has it
     * @param elapsedMillis since any moment
     */
    HeadStart(LongSupplier clockMillis, LongSupplier elapsedMillis) {
        this.clockMillis = clockMillis;
        this.elapsedMillis = elapsedMillis;
    }

    static HeadStart ofThisNode() {
        return new HeadStart(System::currentTimeMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** Whether it is time for this epoch, the one of the table's that the schema has. */
    synchronized boolean isOver(TableId table, TableEpoch next) {
        Seen before = seen.get(table);
        if (before == null || !before.epoch.equals(next)) {
            before = new Seen(next, elapsedMillis.getAsLong());
            seen.put(table, before);
        }
        return clockMillis.getAsLong() - next.number() >= MILLIS || elapsedMillis.getAsLong() - before.millis >= MILLIS;
    }

    /** Whether there is such an epoch, of which this node has not known for long. */
    synchronized boolean isAnyNew() {
        long now = elapsedMillis.getAsLong();
        return seen.values().stream().anyMatch(each -> now - each.millis < ABOUT_TO_MILLIS);
    }

    /** Forgets all other tables. */
    synchronized void keepOnly(Predicate<TableId> tables) {
        seen.keySet().removeIf(tables.negate());
    }
}
