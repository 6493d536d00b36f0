/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * The tables whose mutations are announced at this node. Read on every write, without locks; changed by one thread at a
 * time.
 *
 * <p>Tracking starts in steps, so that every mutation is either in the store before {@link Tracking#goLive} or
 * announced: from {@link #begin} on newcomers wait, {@link Tracking#awaitEarlier} waits for those that came before.
 */
public final class TrackedTables {
    private volatile Map<TableId, Tracking> tables = Map.of();

    boolean none() {
        return tables.isEmpty();
    }

    @Nullable
    Tracking of(TableId table) {
        return tables.get(table);
    }

    /**
     * Mutations of the table wait from now on.
     *
     * @param id what the middleware calls the table from now on
     */
    public synchronized Tracking begin(TableId table, UUID id) {
        Map<TableId, Tracking> next = new HashMap<>(tables);
        Tracking tracking = new Tracking(id);
        next.put(table, tracking);
        tables = Map.copyOf(next);
        return tracking;
    }

    /** Mutations of the table are not looked at any more. */
    public synchronized void end(TableId table) {
        Map<TableId, Tracking> next = new HashMap<>(tables);
        Tracking ended = next.remove(table);
        tables = Map.copyOf(next);
        if (ended != null) {
            ended.goLive();
        }
    }

    /** One table's way from "not tracked" to "every mutation announced". */
    public static final class Tracking {
        private final OpOrder.Barrier barrier = Keyspace.writeOrder.newBarrier();
        private final CountDownLatch live = new CountDownLatch(1);
        private final UUID id;

        private Tracking(UUID id) {
            this.id = id;
        }

        /** What the middleware calls the table. */
        UUID id() {
            return id;
        }

        /** Waits until every mutation that began before is in the store. */
        public void awaitEarlier() {
            barrier.issue();
            barrier.await();
        }

        /** Whoever waited may announce now. */
        public void goLive() {
            live.countDown();
        }

        /** Whether a write of this group is one that {@link #awaitEarlier} waits for. */
        boolean isEarlier(OpOrder.Group group) {
            return barrier.isAfter(group);
        }

        boolean awaitLive(long timeoutNanos) throws InterruptedException {
            return live.getCount() == 0 || live.await(timeoutNanos, TimeUnit.NANOSECONDS);
        }
    }
}
