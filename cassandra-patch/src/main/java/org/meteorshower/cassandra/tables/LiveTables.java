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
    private static final long NOT_YET = 0;
    private static final long NEVER_MORE = -1;

    private final MeteorShower meteorShower;
    private final Set<UUID> tables = ConcurrentHashMap.newKeySet();

    public LiveTables(MeteorShower meteorShower) {
        this.meteorShower = meteorShower;
    }

    /** The core has been told that the nodes fill this one. */
    void add(UUID table) {
        tables.add(table);
    }

    /** The hybrid clock, where the table may be read plainly here and now; else 0. */
    public long plainAsOf(UUID table) {
        if (!tables.contains(table)) {
            return 0;
        }
        long nowMicros = meteorShower.inspect(view -> view.isReadPlainly(table)
                ? view.hybridClockMicros()
                : view.isNeverReadPlainly(table) ? NEVER_MORE : NOT_YET);
        if (nowMicros == NEVER_MORE) {
            tables.remove(table);
        }
        return Math.max(0, nowMicros);
    }
}
