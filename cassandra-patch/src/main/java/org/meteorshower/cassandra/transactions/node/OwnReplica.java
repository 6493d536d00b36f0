/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.io.IOError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.WriteContext;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.Schema;
import org.meteorshower.cassandra.agent.OneWait;

/**
 * Applies mutations to this node as Cassandra does, each first to the commit log and, when that is on disk, to its
 * memtable; but waits for the disk once for all of them. On the caller's thread: Cassandra's own mutations need not
 * wait behind these. Stateless, thread-safe.
 *
 * <p>What is of a table that is being dropped counts as applied, and is not written: a commit log with writes of one
 * fails all that Cassandra still has to do to drop its keyspace, and every change of the schema after that.
 */
final class OwnReplica {
    private OwnReplica() {}

    /** Of one mutation; exactly one of them is called. */
    interface Write {
        Mutation mutation();

        void applied();

        void failed(Throwable why);
    }

    private record Logged(Write write, WriteContext context) {}

    static void apply(List<? extends Write> writes) {
        List<Write> together = new ArrayList<>(writes.size());
        for (Write write : writes) {
            if (isDropped(write.mutation())) {
                write.applied();
            } else if (writes.size() == 1 || hasViews(write.mutation())) {
                applyAlone(write);
            } else {
                together.add(write);
            }
        }
        if (!together.isEmpty()) {
            applyTogether(together);
        }
    }

    private static void applyTogether(List<Write> writes) {
        Deque<Logged> logged = new ArrayDeque<>(writes.size());
        try {
            OneWait.forAll(() -> writes.forEach(write -> log(write, logged)));
            // In the order in which they were begun: a memtable that is being flushed waits for those that were begun
            // before, and those that were begun later may have to wait for it.
            while (!logged.isEmpty()) {
                toMemtables(logged.remove());
            }
        } catch (RuntimeException | IOError e) {
            logged.forEach(each -> each.write.failed(e));
        } finally {
            logged.forEach(each -> each.context.close());
        }
    }

    private static void applyAlone(Write write) {
        try {
            write.mutation().apply();
            write.mutation().getPartitionUpdates().stream()
                    .filter(update -> !isThere(update))
                    .forEach(OwnReplica::forget);
        } catch (RuntimeException | IOError e) {
            write.failed(e);
            return;
        }
        write.applied();
    }

    private static void log(Write write, Deque<Logged> logged) {
        Mutation mutation = write.mutation();
        try {
            Keyspace keyspace = Keyspace.open(mutation.getKeyspaceName());
            boolean durable = keyspace.getMetadata().params.durableWrites;
            logged.add(new Logged(write, keyspace.getWriteHandler().beginWrite(mutation, durable)));
        } catch (RuntimeException | IOError e) {
            write.failed(e);
        }
    }

    private static void toMemtables(Logged logged) {
        try (WriteContext context = logged.context) {
            for (PartitionUpdate update : logged.write.mutation().getPartitionUpdates()) {
                ColumnFamilyStore table = ColumnFamilyStore.getIfExists(update.metadata().id);
                if (table == null) { // dropped just now
                    forget(update);
                } else {
                    table.getWriteHandler().write(update, context, true);
                }
            }
        } catch (RuntimeException | IOError e) {
            logged.write.failed(e);
            return;
        }
        logged.write.applied();
    }

    /** Whether one of its tables is on its way out, or gone. */
    private static boolean isDropped(Mutation mutation) {
        return Schema.instance.getKeyspaceInstance(mutation.getKeyspaceName()) == null
                || mutation.getPartitionUpdates().stream().anyMatch(update -> !isThere(update));
    }

    private static boolean isThere(PartitionUpdate update) {
        return ColumnFamilyStore.getIfExists(update.metadata().id) != null;
    }

    /** The commit log need not keep it. */
    private static void forget(PartitionUpdate update) {
        CommitLog.instance.discardCompletedSegments(
                update.metadata().id, CommitLogPosition.NONE, CommitLog.instance.getCurrentPosition());
    }

    /** Whether Cassandra derives other writes from it, which only its own way to apply a mutation does. */
    private static boolean hasViews(Mutation mutation) {
        return Keyspace.open(mutation.getKeyspaceName())
                .viewManager
                .updatesAffectView(Collections.singleton(mutation), false);
    }
}
