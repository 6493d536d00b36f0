/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.WriteContext;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.AbstractWriteResponseHandler;
import org.apache.cassandra.streaming.StreamSession;
import org.jspecify.annotations.Nullable;

/**
 * What Cassandra's classes call once {@link HookInstaller} has passed over them. Called on any of Cassandra's threads.
 *
 * <p>With no table enabled {@link #beginWrite} costs one read of a volatile field, {@link #written} one type check.
 */
public final class Hooks {
    /** Sees the node's mutations while at least one table is enabled. */
    public interface WriteListener {
        /** Stands in for Cassandra's own: must call {@code original}, before it or after whatever else it does. */
        WriteContext beginWrite(OriginalWrite original, Mutation mutation, boolean makeDurable);
    }

    /** A write context that wants to hear when its updates are in the memtable. */
    public interface WrittenListener {
        void written(PartitionUpdate update);
    }

    /** Hears of data that comes into a table past its memtables: streamed, or imported. */
    public interface ForeignDataListener {
        /**
         * Before any read sees it. If this throws, the data does not come in.
         *
         * @param stream that brings it; null where none does
         */
        void coming(TableId table, Collection<SSTableReader> files, @Nullable StreamSession stream);

        /** From now on every read sees it. */
        void came(TableId table);
    }

    /** Says which hints are worth keeping. */
    @FunctionalInterface
    public interface HintFilter {
        /** Whether this node should keep the mutation for this replica, which did not take it. */
        boolean isNeeded(Mutation mutation, Replica target);
    }

    private static volatile @Nullable HintFilter hintFilter;
    private static volatile @Nullable WriteListener writeListener;
    private static volatile @Nullable ForeignDataListener foreignDataListener;

    /** Whose data this thread is about to take in. */
    private static final ThreadLocal<@Nullable StreamSession> ENDING = new ThreadLocal<>();

    private Hooks() {}

    public static WriteContext beginWrite(OriginalWrite original, Mutation mutation, boolean makeDurable) {
        WriteListener listener = writeListener;
        return listener == null
                ? original.meteorshowerBeginWrite(mutation, makeDurable)
                : listener.beginWrite(original, mutation, makeDurable);
    }

    /** @param entry what this thread has put into the commit log */
    public static void logged(OriginalWait original, Object entry) {
        if (!LogWaits.areTaken(original, entry)) {
            original.meteorshowerAwait(entry);
        }
    }

    /** @param handler of the request that the hint is for; null where it has been answered */
    public static EndpointsForToken hinted(
            Mutation mutation, EndpointsForToken targets, @Nullable AbstractWriteResponseHandler<?> handler) {
        HintFilter filter = hintFilter;
        // At ANY the hint itself can be what is acknowledged.
        if (filter == null || (handler != null && handler.consistencyLevel() == ConsistencyLevel.ANY)) {
            return targets;
        }
        return targets.filter(target -> filter.isNeeded(mutation, target));
    }

    public static void written(PartitionUpdate update, WriteContext context) {
        if (context instanceof WrittenListener listener) {
            listener.written(update);
        }
    }

    /** @param session null where its data has been taken in */
    public static void streamEnds(@Nullable StreamSession session) {
        if (session == null) {
            ENDING.remove();
        } else {
            ENDING.set(session);
        }
    }

    /** @param files a Collection since Cassandra 5.0.4 */
    public static void foreignDataComing(Tracker tracker, Iterable<SSTableReader> files) {
        ForeignDataListener listener = foreignDataListener;
        if (listener != null && tracker.cfstore != null) {
            List<SSTableReader> all = new ArrayList<>();
            files.forEach(all::add);
            listener.coming(tracker.cfstore.metadata.id, all, ENDING.get());
        }
    }

    public static void foreignDataCame(Tracker tracker) {
        ForeignDataListener listener = foreignDataListener;
        if (listener != null && tracker.cfstore != null) {
            listener.came(tracker.cfstore.metadata.id);
        }
    }

    public static void filter(HintFilter filter) {
        hintFilter = filter;
    }

    public static void listen(ForeignDataListener listener) {
        foreignDataListener = listener;
    }

    /** @param listener null when no table is enabled */
    public static void listen(@Nullable WriteListener listener) {
        writeListener = listener;
    }

    /**
     * Checks that Cassandra really calls.
     *
     * @throws IllegalStateException if a hook is missing: this release of Cassandra differs from the ones known
     */
    public static void requireInstalled() {
        try {
            // Their first use may be still to come.
            Class.forName("org.apache.cassandra.db.CassandraKeyspaceWriteHandler");
            Class.forName("org.apache.cassandra.db.CassandraTableWriteHandler");
            Class.forName("org.apache.cassandra.db.commitlog.AbstractCommitLogService");
            Class.forName("org.apache.cassandra.db.lifecycle.Tracker");
            Class.forName("org.apache.cassandra.db.streaming.CassandraStreamReceiver");
            Class.forName("org.apache.cassandra.service.StorageProxy", false, Hooks.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("Cassandra's write handlers are not where they were: " + e.getMessage(), e);
        }
        if (!HookInstaller.INSTALLED.containsAll(Arrays.asList(HookInstaller.Hook.values()))) {
            throw new IllegalStateException("could not hook into this release of Cassandra (found only "
                    + HookInstaller.INSTALLED + "): install the plugin made for it, or remove the -javaagent option");
        }
    }
}
