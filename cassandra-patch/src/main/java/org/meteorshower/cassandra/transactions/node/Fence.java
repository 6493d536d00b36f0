/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.Optional;
import java.util.UUID;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * The row that says which process has a data centre's store. Written by compare-and-set among the data centre's
 * replicas, so no two processes get one number; read by plain quorum reads, which see every number that its process has
 * been told to be its own.
 */
final class Fence {
    /** Subtracted from Unix time: lives are below 2^31 until 2094. 14 November 2023. */
    private static final long EPOCH_SECONDS = 1_700_000_000;

    private final LogKeyspace keyspace;
    private final String read;
    private final String insert;
    private final String update;

    /** As this node's own replica told it last. */
    private volatile @Nullable Known known;

    private record Known(LocalStamp stamp, long life) {}

    Fence(LogKeyspace keyspace) {
        this.keyspace = keyspace;
        String table = keyspace.table("fence");
        String where = " WHERE part = " + LogKeyspace.PARTITION;
        read = "SELECT life, owner FROM " + table + where;
        insert = "INSERT INTO " + table + " (part, life, owner) VALUES (" + LogKeyspace.PARTITION
                + ", ?, ?) IF NOT EXISTS";
        update = "UPDATE " + table + " SET life = ?, owner = ?" + where + " IF life = ?";
    }

    /**
     * The life of the process that has the store now; 0 where none ever had. Blocks.
     *
     * <p>Where this node is the data centre's only replica it is the quorum. The row is read on this thread then, and
     * only if something was written to its table since it was last read: each batch of the log asks, hundreds of times
     * a second, and by way of the coordinator's stages that cost a node more than all else that a batch does.
     */
    long life() {
        return keyspace.isReplicatedHereOnly()
                ? lifeHere()
                : life(QueryProcessor.execute(read, ConsistencyLevel.LOCAL_QUORUM));
    }

    private long lifeHere() {
        // Before it is read: what is written meanwhile is looked for next time.
        Optional<LocalStamp> stamp = LocalStamp.of(keyspace.metadata("fence"));
        Known last = known;
        if (last != null && stamp.isPresent() && last.stamp.equals(stamp.get())) {
            return last.life;
        }
        long life = life(QueryProcessor.executeInternal(read));
        known = stamp.isPresent() ? new Known(stamp.get(), life) : null;
        return life;
    }

    private static long life(UntypedResultSet rows) {
        return rows.isEmpty() ? 0 : rows.one().getLong("life");
    }

    /**
     * Takes the store over: from now on {@link #life} gives this number, or a higher one. Seconds count in it, so that
     * numbers are not given again where the fence was lost with its disk. Blocks.
     *
     * @throws IllegalStateException if another process was quicker
     */
    long take(long wallSeconds) {
        UUID owner = UUID.randomUUID();
        UntypedResultSet before = QueryProcessor.execute(read, ConsistencyLevel.LOCAL_SERIAL);
        long known = before.isEmpty() ? 0 : before.one().getLong("life");
        long life = Math.max(known + 1, wallSeconds - EPOCH_SECONDS);
        if (life >= Integer.MAX_VALUE) {
            throw new IllegalStateException("this machine's clock says that it is 2094 or later: set it right");
        }
        if (before.isEmpty()) {
            var unused = QueryProcessor.execute(insert, ConsistencyLevel.LOCAL_QUORUM, life, owner);
        } else {
            var unused = QueryProcessor.execute(update, ConsistencyLevel.LOCAL_QUORUM, life, owner, known);
        }
        UntypedResultSet after = QueryProcessor.execute(read, ConsistencyLevel.LOCAL_QUORUM);
        if (after.isEmpty()
                || after.one().getLong("life") != life
                || !after.one().getUUID("owner").equals(owner)) {
            throw new IllegalStateException("another node has taken this data centre over at the same time");
        }
        return life;
    }
}
