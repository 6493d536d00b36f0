/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * The tables whose mutations are announced at this node. Read on every write, without locks; changed by one thread at a
 * time.
 *
 * <p>Tracking starts in steps, so that every mutation is either in the store before {@link Tracking#goLive} or
 * announced: from {@link #begin} on newcomers wait, {@link Tracking#awaitEarlier} waits for those that came before;
 * also for those that were announced by the table's name of before, and are on their way: a mutation is announced
 * before Cassandra's own write begins, which its barrier would wait for, and the journal and the commit log may take a
 * while.
 */
public final class TrackedTables {
    private static final long LOOK_EVERY_NANOS = 500_000;

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
        Tracking tracking = new Tracking(id, next.get(table));
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
        private final Turns announced = new Turns();
        private final UUID id;
        private @Nullable Tracking earlier;

        private Tracking(UUID id, @Nullable Tracking earlier) {
            this.id = id;
            this.earlier = earlier;
        }

        /**
         * A mutation is about to be announced. Only after this {@link TrackedTables#of} tells whether it is so here.
         *
         * @return for {@link #end}
         */
        int begin() {
            return announced.begin();
        }

        /** It is in the memtable, or never will be. */
        void end(int place) {
            announced.end(place);
        }

        private void awaitAnnounced() {
            long now = announced.now();
            while (!announced.areOver(now)) {
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }

        /** What the middleware calls the table. */
        UUID id() {
            return id;
        }

        /**
         * Waits until every mutation that began before is in the store, as Cassandra's own barriers do: without a
         * bound.
         */
        public void awaitEarlier() {
            if (earlier != null) {
                earlier.awaitAnnounced();
                earlier = null;
            }
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
