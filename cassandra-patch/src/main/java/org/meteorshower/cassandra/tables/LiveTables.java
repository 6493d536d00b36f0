/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.PlainReads;
import org.meteorshower.runtime.MeteorShower;

/**
 * The tables that were enabled while they held data, or have moved, and may be read plainly here until their replicas
 * have been brought together. Thread-safe; asking for any other table takes no lock.
 */
public final class LiveTables {
    /** It may be read plainly yet. */
    public static final Plain NOT_YET = new Plain(PlainReads.NONE, 0);

    /** It is not read plainly, or not any more. */
    public static final Plain NEVER = new Plain(PlainReads.NONE, -1);

    private final MeteorShower meteorShower;
    private final Set<UUID> tables = ConcurrentHashMap.newKeySet();

    public LiveTables(MeteorShower meteorShower) {
        this.meteorShower = meteorShower;
    }

    /**
     * How a table may be read here and now.
     *
     * @param reads which of Cassandra's own
     * @param asOfMicros the hybrid clock, where there are some
     */
    public record Plain(PlainReads reads, long asOfMicros) {
        public boolean isAllowed() {
            return reads.areAllowed();
        }
    }

    /** The core has been told that the nodes fill this one. */
    void add(UUID table) {
        tables.add(table);
    }

    /** {@link #NOT_YET} or {@link #NEVER} where the table may not be read plainly here and now. */
    public Plain plain(UUID table) {
        if (!tables.contains(table)) {
            return NEVER;
        }
        Plain plain = meteorShower.inspect(view -> plain(view, table));
        if (plain.equals(NEVER)) {
            tables.remove(table);
        }
        return plain;
    }

    /** Whether reads of the table are Cassandra's own here and now. */
    public boolean isPlain(UUID table) {
        return plain(table).isAllowed();
    }

    private static Plain plain(CoreView view, UUID table) {
        PlainReads reads = view.plainReads(table);
        if (reads.areAllowed()) {
            return new Plain(reads, view.hybridClockMicros());
        }
        return view.isNeverReadPlainly(table) ? NEVER : NOT_YET;
    }
}
