/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.CassandraWriteContext;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.WriteContext;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.agent.LogWaiter;
import org.meteorshower.cassandra.agent.LogWaits;
import org.meteorshower.cassandra.agent.OriginalWrite;
import org.meteorshower.cassandra.store.AnnouncedWrite.Announcements;
import org.meteorshower.cassandra.store.TrackedTables.Tracking;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;

/**
 * Tells the middleware of every mutation of a tracked table, before the commit log and the memtable get it, whichever
 * way it came: a client's write, a hint, a repair, a batch, a Paxos commit. Called on the thread that applies it.
 */
public final class Announcer implements Hooks.WriteListener {
    private final MeteorShower meteorShower;
    private final TrackedTables tables;
    private final Coordinators coordinators;
    private final CarriedAnswers carried;
    private final Predicate<TableId> unfollowed;
    private final @Nullable LogWaiter logWaiter;

    /**
     * @param unfollowed whether a table is enabled, and this node, a replica perhaps, does not follow it yet
     * @param logWaiter waits for the commit log where the journal has all of a mutation on disk; null where whoever
     *     applies it waits all the same
     */
    public Announcer(
            MeteorShower meteorShower,
            TrackedTables tables,
            Coordinators coordinators,
            CarriedAnswers carried,
            Predicate<TableId> unfollowed,
            @Nullable LogWaiter logWaiter) {
        this.meteorShower = meteorShower;
        this.tables = tables;
        this.coordinators = coordinators;
        this.carried = carried;
        this.unfollowed = unfollowed;
        this.logWaiter = logWaiter;
    }

    @Override
    public WriteContext beginWrite(OriginalWrite original, Mutation mutation, boolean makeDurable) {
        Announcements announced = announceBefore(mutation);
        WriteContext context;
        try {
            context = begin(original, mutation, makeDurable, announced);
        } catch (RuntimeException | Error e) {
            if (announced != null) {
                announced.failRemaining();
            }
            throw e;
        }
        try {
            announced = announceLate(mutation, context, announced);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
        return announced == null ? context : new AnnouncedWrite((CassandraWriteContext) context, announced);
    }

    /** What the journal has on disk need not be on disk in the commit log before it is acknowledged. */
    private WriteContext begin(
            OriginalWrite original, Mutation mutation, boolean makeDurable, @Nullable Announcements announced) {
        LogWaiter waiter = logWaiter;
        boolean journaled = announced != null
                && announced.journaled() == mutation.getPartitionUpdates().size();
        return waiter != null && journaled
                ? LogWaits.givenTo(waiter, () -> original.meteorshowerBeginWrite(mutation, makeDurable))
                : original.meteorshowerBeginWrite(mutation, makeDurable);
    }

    private @Nullable Announcements announceBefore(Mutation mutation) {
        refuseUnfollowed(mutation);
        if (tables.none()) {
            return null;
        }
        Announcements announced = null;
        Coordinators.Waiting waiting = null;
        for (PartitionUpdate update : mutation.getPartitionUpdates()) {
            Tracking tracking = tables.of(update.metadata().id);
            if (tracking != null) {
                awaitLive(tracking); // not while another of its tables waits for what is announced here
            }
        }
        for (PartitionUpdate update : mutation.getPartitionUpdates()) {
            if (tables.of(update.metadata().id) != null) {
                if (announced == null) {
                    announced = new Announcements();
                    waiting = waitingFor(mutation);
                }
                announce(update, waiting, announced);
            }
        }
        return announced;
    }

    private Coordinators.@Nullable Waiting waitingFor(Mutation mutation) {
        Coordinators.Waiting waiting = coordinators.takeOf(mutation);
        carried.forget();
        return waiting == null || mutation.getPartitionUpdates().size() == 1 ? waiting : waiting.forSeveral();
    }

    /**
     * Catches what slipped by while a table's tracking began: its order group is later than the barrier that tracking
     * waits for, so it would be in nobody's books. It is in the commit log already; a crash within the next
     * microseconds would replay it unannounced, at a table that is being enabled at this moment.
     */
    private @Nullable Announcements announceLate(
            Mutation mutation, WriteContext context, @Nullable Announcements before) {
        Collection<PartitionUpdate> updates = mutation.getPartitionUpdates();
        if (tables.none() || (before != null && before.added() == updates.size())) {
            return before;
        }
        OpOrder.Group group = CassandraWriteContext.fromContext(context).getGroup();
        Announcements announced = before;
        for (PartitionUpdate update : updates) {
            Tracking tracking = tables.of(update.metadata().id);
            if (tracking == null || tracking.isEarlier(group) || (announced != null && announced.holds(update))) {
                continue;
            }
            announced = announced == null ? new Announcements() : announced;
            announce(update, null, announced);
        }
        return announced;
    }

    /**
     * A node that restarts may take the ring for another one than that of the table's epoch, and does not follow it
     * until it sees that one. What it took meanwhile nobody would hear of, and its next repair would spread it. A
     * coordinator keeps a hint.
     */
    private void refuseUnfollowed(Mutation mutation) {
        for (PartitionUpdate update : mutation.getPartitionUpdates()) {
            TableId table = update.metadata().id;
            if (tables.of(table) == null && unfollowed.test(table)) {
                throw new WriteTimeoutException(
                        WriteType.SIMPLE,
                        ConsistencyLevel.ONE,
                        0,
                        1,
                        "this node has not caught up with the ring yet, and takes no mutations of the table");
            }
        }
    }

    /** By the name that the table has when its turn comes; as an ordinary one where it has none by then. */
    private void announce(PartitionUpdate update, Coordinators.@Nullable Waiting waiting, Announcements announced) {
        TableId table = update.metadata().id;
        for (Tracking tracking = tables.of(table); tracking != null; tracking = tables.of(table)) {
            try {
                awaitLive(tracking);
            } catch (RuntimeException e) {
                announced.failRemaining();
                throw e;
            }
            int place = tracking.begin();
            if (tracking.equals(tables.of(table))) {
                announce(update, tracking, place, waiting, announced);
                return;
            }
            tracking.end(place);
        }
    }

    private void announce(
            PartitionUpdate update,
            Tracking tracking,
            int place,
            Coordinators.@Nullable Waiting waiting,
            Announcements announced) {
        try {
            CassandraUpdate announcedUpdate = new CassandraUpdate(tracking.id(), update);
            announcedUpdate.serializeAhead();
            boolean news = meteorShower.beforeApply(announcedUpdate);
            announced.add(update, news, new Report(announcedUpdate, news, waiting, tracking, place));
        } catch (MutationRefusedException e) {
            tracking.end(place);
            announced.failRemaining();
            if (e.isForNow()) { // not logged for each mutation by Cassandra, and the coordinator keeps a hint
                throw new WriteTimeoutException(
                        WriteType.SIMPLE, ConsistencyLevel.ONE, 0, 1, "MeteorShower: " + e.getMessage());
            }
            throw new InvalidRequestException("MeteorShower: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            tracking.end(place);
            announced.failRemaining();
            throw e;
        }
    }

    private static void awaitLive(Tracking tracking) {
        try {
            if (tracking.awaitLive(DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS))) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new WriteTimeoutException(
                WriteType.SIMPLE,
                ConsistencyLevel.ONE,
                0,
                1,
                "the table is being enabled for MeteorShower at this node");
    }

    /** Tells the middleware how it went. */
    private final class Report implements AnnouncedWrite.Outcome {
        private final CassandraUpdate update;
        private final boolean news;
        private final Coordinators.@Nullable Waiting waiting;
        private final Tracking tracking;
        private final int place;

        Report(
                CassandraUpdate update,
                boolean news,
                Coordinators.@Nullable Waiting waiting,
                Tracking tracking,
                int place) {
            this.update = update;
            this.news = news;
            this.waiting = waiting;
            this.tracking = tracking;
            this.place = place;
        }

        @Override
        public void applied() {
            // Before the acknowledgement itself, which leaves when the whole mutation is applied. Where no other node
            // sent the mutation it may be a client's write here; if nobody waits for it, it acknowledges nothing.
            try {
                NodeId coordinator = waiting == null ? null : waiting.coordinator();
                if (news) {
                    long receipt = waiting == null ? Event.Acknowledging.NO_RECEIPT : carried.handOver(waiting);
                    meteorShower.afterApply(update.key(), update.id(), coordinator, receipt);
                } else {
                    meteorShower.acknowledging(coordinator, update.key(), update.id());
                }
            } finally {
                tracking.end(place);
            }
        }

        @Override
        public void failed() {
            try {
                if (news) {
                    meteorShower.applyFailed(update.key(), update.id());
                }
            } finally {
                tracking.end(place);
            }
        }
    }
}
