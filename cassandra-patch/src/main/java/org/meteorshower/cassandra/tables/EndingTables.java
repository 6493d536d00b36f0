/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;

/**
 * The tables that were disabled a moment ago and that some other node may still serve. Their requests wait here, for as
 * long as news takes between the nodes: who read or wrote such a table as an ordinary one, and went on to a node that
 * still serves it, could miss there what it has just seen. Read on every request, without locks; changed by the thread
 * that follows the schema.
 */
public final class EndingTables {
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Predicate<UUID> isEnding;
    private final LongSupplier hybridClock;
    private final LongConsumer onOver;
    private final long startMicros;
    /**
     * By the table: the names under which others may still serve it. More than one where it was enabled and disabled
     * again soon.
     */
    private volatile Map<TableId, Set<UUID>> tables = Map.of();

    private final Map<TableId, Long> overSinceMicros = new ConcurrentHashMap<>();

    /**
     * @param isEnding whether another node may still serve the table of this name
     * @param hybridClock in microseconds, above all that this node has heard of
     * @param onOver hears the hybrid time above which no node serves an ordinary table
     */
    public EndingTables(Predicate<UUID> isEnding, LongSupplier hybridClock, LongConsumer onOver) {
        this.isEnding = isEnding;
        this.hybridClock = hybridClock;
        this.onOver = onOver;
        this.startMicros = hybridClock.getAsLong();
    }

    /** To be called before the table is seen as disabled by anybody. */
    public synchronized void begin(TableId table, UUID name) {
        Set<UUID> names = new HashSet<>(tables.getOrDefault(table, Set.of()));
        names.add(name);
        replace(table, names);
    }

    private void replace(TableId table, Set<UUID> names) {
        Map<TableId, Set<UUID>> next = new HashMap<>(tables);
        if (names.isEmpty()) {
            next.remove(table);
        } else {
            next.put(table, Set.copyOf(names));
        }
        tables = Map.copyOf(next);
    }

    /** The names of all tables that others may still serve. */
    public Set<UUID> names() {
        Set<UUID> all = new HashSet<>();
        tables.values().forEach(all::addAll);
        return all;
    }

    /** False means: nobody has to wait. */
    public boolean none() {
        return tables.isEmpty();
    }

    public boolean holds(TableId table) {
        Set<UUID> names = tables.get(table);
        if (names == null) {
            return false;
        }
        for (UUID name : names) {
            if (isEnding.test(name)) {
                return true;
            }
        }
        return !over(table, names);
    }

    /** Returns false where another name has come meanwhile. */
    private synchronized boolean over(TableId table, Set<UUID> names) {
        Set<UUID> left = new HashSet<>(tables.getOrDefault(table, Set.of()));
        if (left.removeAll(names)) {
            long nowMicros = hybridClock.getAsLong();
            overSinceMicros.put(table, nowMicros);
            onOver.accept(nowMicros); // before anybody goes on: those who bring no token share one
            replace(table, left);
        }
        return left.isEmpty();
    }

    /**
     * All cuts at which a node may have served this ordinary table, or may do so still since it is cut off and has not
     * heard, lie before this hybrid time. The same for a long time, so that it makes nobody's later reads wait.
     */
    public long overSinceMicros(TableId table) {
        return overSinceMicros.getOrDefault(table, startMicros);
    }

    /** Forgets what is over, also where nobody asks for it. */
    public void tidy() {
        tables.keySet().forEach(this::holds);
    }

    /** Waits until nobody serves the table; returns false if that is not so when the time is over. */
    public boolean await(TableId table, long deadlineNanos) {
        while (holds(table)) {
            if (System.nanoTime() - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return true;
    }
}
