/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;

/**
 * Writes the change stream into tables of this data centre: first what was set, then up to where it is whole, so that
 * who reads below that misses nothing. A row of it is always the same, whoever writes it: a process that was replaced
 * does no harm. Where it takes more than it may, the oldest goes. Blocks; thread-safe.
 */
final class ChangeWriting {
    /** Places of the merged order in one partition. */
    static final long BUCKET = 256;

    /** Of bytes that are written together, in a mutation at most, about, besides its last row. */
    private static final int MOST_BYTES = 256 << 10;

    /** What a row takes besides its content, and a bucket besides its rows, about. */
    private static final int ROW_BYTES = 200;

    private static final int BUCKET_BYTES = 800;

    /** Of all rows: it does not matter which of two writes of one wins. */
    private static final long WRITTEN = 1;

    /** So many more buckets may go with a piece of the stream than come with it. */
    private static final long MOST_FORGOTTEN = 64;

    private final LogKeyspace keyspace;
    private final UserTables tables;
    private final long mostBytes;
    private final long mostTogether = Math.min(MOST_BYTES, DatabaseDescriptor.getMaxMutationSize() / 8);
    private final Consumer<List<Mutation>> writer;

    private boolean loaded;
    private long oldest;
    private long below;
    private long written;
    private long newestBucket = -1;

    /** The first bucket that there is, and what had been written before it. */
    private @Nullable Bucket first;

    private record Bucket(long number, long writtenBefore) {}

    /**
     * @param mostBytes that it may take on this data centre's disks, about, before replication
     * @param writer writes until a quorum has each
     */
    ChangeWriting(LogKeyspace keyspace, UserTables tables, long mostBytes, Consumer<List<Mutation>> writer) {
        this.keyspace = keyspace;
        this.tables = tables;
        this.mostBytes = mostBytes;
        this.writer = writer;
    }

    /**
     * Returns when it is stored, how far the stream goes then. To be tried again where it fails: written twice, nothing
     * changes.
     */
    synchronized long write(Changes changes) {
        if (!loaded) {
            load();
        }
        if (changes.below() < oldest) {
            return below; // Of a process that was replaced, or from before a snapshot: nobody would read it.
        }
        loaded = false; // What is noted from here on counts once it is stored: else it is read again.
        Mutation.SimpleBuilder note =
                Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.CHANGE_LIMITS, LogKeyspace.PARTITION));
        long come = writeRows(changes.rows(), note);
        if (below < changes.from()) {
            oldest = changes.from();
        }
        below = Math.max(below, changes.below());
        limits(note);
        writer.accept(List.of(note.build()));
        forget(MOST_FORGOTTEN + come);
        loaded = true;
        return below;
    }

    private void load() {
        UntypedResultSet limits = keyspace.read(
                keyspace.key(LogKeyspace.CHANGE_LIMITS, LogKeyspace.PARTITION),
                "SELECT oldest, below, written FROM " + keyspace.table(LogKeyspace.CHANGE_LIMITS) + " WHERE part = "
                        + LogKeyspace.PARTITION);
        if (!limits.isEmpty()) {
            oldest = limits.one().getLong("oldest");
            below = limits.one().getLong("below");
            written = limits.one().getLong("written");
        }
        first = buckets("ASC", 0).stream().findFirst().orElse(null);
        newestBucket = buckets("DESC", 0).stream()
                .mapToLong(Bucket::number)
                .findFirst()
                .orElse(-1);
    }

    /** One at most. */
    private List<Bucket> buckets(String order, long from) {
        List<Bucket> found = new ArrayList<>();
        for (UntypedResultSet.Row row : keyspace.read(
                keyspace.key(LogKeyspace.CHANGE_BUCKETS, LogKeyspace.PARTITION),
                "SELECT bucket, bytes FROM " + keyspace.table(LogKeyspace.CHANGE_BUCKETS) + " WHERE part = "
                        + LogKeyspace.PARTITION + " AND bucket >= ? ORDER BY bucket " + order + " LIMIT 1",
                from)) {
            found.add(new Bucket(row.getLong("bucket"), row.getLong("bytes")));
        }
        return found;
    }

    /** Returns how many buckets there are now that there were not. */
    private long writeRows(List<ChangedRow> rows, Mutation.SimpleBuilder note) {
        Map<Long, List<ChangedRow>> byBucket = new TreeMap<>();
        for (ChangedRow row : rows) {
            byBucket.computeIfAbsent(row.place() / BUCKET, bucket -> new ArrayList<>())
                    .add(row);
        }
        long come = 0;
        Together together = new Together();
        for (Map.Entry<Long, List<ChangedRow>> bucket : byBucket.entrySet()) {
            if (bucket.getKey() > newestBucket) {
                begin(bucket.getKey(), note);
                come++;
            }
            writeBucket(bucket.getKey(), bucket.getValue().iterator(), together);
        }
        together.write();
        return come;
    }

    private void begin(long bucket, Mutation.SimpleBuilder note) {
        newestBucket = bucket;
        note.update(keyspace.metadata(LogKeyspace.CHANGE_BUCKETS))
                .row(bucket)
                .timestamp(written + 1)
                .add("bytes", written);
        first = first == null ? new Bucket(bucket, written) : first;
        written += BUCKET_BYTES;
    }

    private void writeBucket(long bucket, Iterator<ChangedRow> rows, Together together) {
        while (rows.hasNext()) {
            Mutation.SimpleBuilder mutation =
                    Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.CHANGES, bucket));
            PartitionUpdate.SimpleBuilder update = mutation.update(keyspace.metadata(LogKeyspace.CHANGES));
            int bytes = 0;
            while (rows.hasNext() && bytes < mostTogether) {
                bytes += add(update, rows.next());
            }
            if (bytes > 0) {
                together.add(mutation.build(), bytes);
                written += bytes;
            }
        }
    }

    /** Mutations that wait for the disk together. */
    private final class Together {
        private List<Mutation> mutations = new ArrayList<>();
        private long bytes;

        void add(Mutation mutation, long itsBytes) {
            mutations.add(mutation);
            bytes += itsBytes;
            if (bytes >= MOST_BYTES) {
                write();
            }
        }

        void write() {
            if (!mutations.isEmpty()) {
                writer.accept(mutations);
                mutations = new ArrayList<>();
                bytes = 0;
            }
        }
    }

    private int add(PartitionUpdate.SimpleBuilder update, ChangedRow row) {
        UserTables.Shown shown = tables.shown(row.key(), row.row());
        if (shown == null) {
            return 0;
        }
        update.row(row.place(), row.index(), shown.table(), shown.key())
                .timestamp(WRITTEN)
                .add("row", shown.row());
        String content = shown.row();
        return ROW_BYTES + shown.key().length() + (content == null ? 0 : content.length());
    }

    private void limits(Mutation.SimpleBuilder note) {
        PartitionUpdate.SimpleBuilder update = note.update(keyspace.metadata(LogKeyspace.CHANGE_LIMITS));
        update.row().timestamp(below + 1).add("below", below);
        update.row().timestamp(oldest + 1).add("oldest", oldest);
        update.row().timestamp(written + 1).add("written", written);
    }

    /** Who reads is told first. */
    private void forget(long most) {
        for (long left = most; left > 0; left--) {
            Bucket going = first;
            if (going == null || written - going.writtenBefore() <= mostBytes) {
                return;
            }
            List<Bucket> next = buckets("ASC", going.number() + 1);
            if (next.isEmpty()) {
                return; // it is being written
            }
            first = next.get(0);
            oldest = Math.max(oldest, first.number() * BUCKET);
            Mutation.SimpleBuilder note = Mutation.simpleBuilder(
                    keyspace.name(), keyspace.key(LogKeyspace.CHANGE_LIMITS, LogKeyspace.PARTITION));
            limits(note);
            note.update(keyspace.metadata(LogKeyspace.CHANGE_BUCKETS))
                    .addRangeTombstone(Deletions.below(first.number()));
            writer.accept(List.of(note.build()));
            writer.accept(List.of(deletion(going.number())));
        }
    }

    private Mutation deletion(long bucket) {
        Mutation.SimpleBuilder mutation =
                Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.CHANGES, bucket));
        mutation.update(keyspace.metadata(LogKeyspace.CHANGES))
                .timestamp(Deletions.TIMESTAMP)
                .delete();
        return mutation.build();
    }
}
