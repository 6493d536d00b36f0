/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.runtime.MeteorShower;

/**
 * The tables that were enabled while they held data, and may be read plainly here until their replicas have been
 * brought together. Thread-safe; asking for any other table takes no lock.
 */
public final class LiveTables {
    /** It may be read plainly yet. */
    public static final long NOT_YET = 0;

    /** It is not read plainly, or not any more. */
    public static final long NEVER = -1;

    private final MeteorShower meteorShower;
    private final Set<UUID> tables = ConcurrentHashMap.newKeySet();

    public LiveTables(MeteorShower meteorShower) {
        this.meteorShower = meteorShower;
    }

    /** The core has been told that the nodes fill this one. */
    void add(UUID table) {
        tables.add(table);
    }

    /** The hybrid clock, where the table may be read plainly here and now; else {@link #NOT_YET} or {@link #NEVER}. */
    public long plainAsOf(UUID table) {
        if (!tables.contains(table)) {
            return NEVER;
        }
        long nowMicros = meteorShower.inspect(view -> view.isReadPlainly(table)
                ? view.hybridClockMicros()
                : view.isNeverReadPlainly(table) ? NEVER : NOT_YET);
        if (nowMicros == NEVER) {
            tables.remove(table);
        }
        return nowMicros;
    }
}
