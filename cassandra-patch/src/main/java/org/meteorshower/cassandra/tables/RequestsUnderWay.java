/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.meteorshower.cassandra.store.Turns;

/**
 * The clients' requests that go on at this node and are none of a transaction, by table, so that one can wait until
 * those have ended that began before a certain moment. Thread-safe; a request takes no lock.
 */
public final class RequestsUnderWay {
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<TableId, Turns> tables = new ConcurrentHashMap<>();

    /** A request that goes on. */
    public static final class Begun {
        private final Turns[] turns;
        private final int[] places;

        private Begun(int tables) {
            turns = new Turns[tables];
            places = new int[tables];
        }

        /** It has ended, whatever came of it. */
        public void end() {
            for (int i = 0; i < turns.length; i++) {
                turns[i].end(places[i]);
            }
        }
    }

    /** One begins. Only after this does it look what is to be waited for. */
    public Begun begin(Collection<TableId> asked) {
        Begun begun = new Begun(asked.size());
        int i = 0;
        for (TableId table : asked) {
            Turns turns = of(table);
            begun.turns[i] = turns;
            begun.places[i++] = turns.begin();
        }
        return begun;
    }

    private Turns of(TableId table) {
        Turns known = tables.get(table);
        return known != null ? known : tables.computeIfAbsent(table, id -> new Turns());
    }

    /** For {@link #areOver}, of all of a table's that have begun until now. */
    public long now(TableId table) {
        return of(table).now();
    }

    /** Whether those have ended that had begun by then. Where they have not, to be asked again. */
    public boolean areOver(TableId table, long then) {
        return of(table).areOver(then);
    }

    /** Waits until those of these tables have ended that have begun until now, for so long at most. */
    void awaitThoseOf(Collection<TableId> waitedFor, long mostNanos) {
        Map<TableId, Long> goingOn = new HashMap<>();
        waitedFor.forEach(table -> goingOn.put(table, now(table)));
        long beganNanos = System.nanoTime();
        while (!goingOn.isEmpty() && System.nanoTime() - beganNanos < mostNanos) {
            goingOn.entrySet().removeIf(each -> areOver(each.getKey(), each.getValue()));
            if (!goingOn.isEmpty()) {
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
    }

    /** Forgets tables that are no more. */
    void tidy() {
        tables.keySet().removeIf(table -> Schema.instance.getTableMetadata(table) == null);
    }
}
