/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Deletes what is below the log's floors, behind everything else. Until it is done it only takes space, since nobody
 * reads below a floor; how far it was done is noted, so that after a restart it goes on from there. Blocks; used by one
 * thread.
 */
final class LogTrim {
    /** Buckets of which the deletion is noted together. */
    private static final int AT_ONCE = 16;

    private final LogKeyspace keyspace;
    private final long[] trimmed;

    /** @param trimmed by lane, as the last process had noted it */
    LogTrim(LogKeyspace keyspace, long[] trimmed) {
        this.keyspace = keyspace;
        this.trimmed = trimmed.clone();
    }

    /**
     * What is to be written next for a floor, in any order; empty where nothing is to be done. To be asked again after
     * {@link #done}, until then.
     */
    List<Mutation> next(int lane, long floor) {
        long to = Math.min(LogPlaces.trimmed(floor), limit(lane));
        List<Mutation> mutations = new ArrayList<>();
        if (to <= trimmed[lane]) {
            return mutations;
        }
        for (long bucket = LogPlaces.bucket(trimmed[lane]); bucket <= LogPlaces.bucket(to - 1); bucket++) {
            long end = Math.min(to, LogPlaces.end(bucket));
            mutations.add(deletion(LogKeyspace.ENTRIES, keyspace.key(LogKeyspace.ENTRIES, bucket), lane, end));
        }
        return mutations;
    }

    private long limit(int lane) {
        return LogPlaces.end(LogPlaces.bucket(trimmed[lane]) + AT_ONCE - 1);
    }

    /** What {@link #next} gave is written. Returns what notes it. */
    Mutation done(int lane, long floor) {
        trimmed[lane] = Math.min(LogPlaces.trimmed(floor), limit(lane));
        DecoratedKey part = keyspace.key(LogKeyspace.LIMITS, LogKeyspace.PARTITION);
        Mutation.SimpleBuilder note = Mutation.simpleBuilder(keyspace.name(), part);
        note.update(keyspace.metadata(LogKeyspace.LIMITS))
                .row(lane)
                .timestamp(trimmed[lane])
                .add("trimmed", trimmed[lane]);
        note.update(keyspace.metadata(LogKeyspace.BUCKETS))
                .addRangeTombstone(Deletions.ofLane(lane, LogPlaces.bucket(trimmed[lane])));
        return note.build();
    }

    private Mutation deletion(String table, DecoratedKey partition, int lane, long below) {
        TableMetadata metadata = keyspace.metadata(table);
        Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), partition);
        mutation.update(metadata).addRangeTombstone(Deletions.ofLane(lane, below));
        return mutation.build();
    }
}
