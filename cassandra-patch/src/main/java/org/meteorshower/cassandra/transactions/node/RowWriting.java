/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.meteorshower.transactions.port.RowWrite;

/**
 * Writes rows: first the version that transactions go by, then, when a quorum has it, what users see, since that
 * overwrites what was there before. Many at a time, so that they share the waits for the disk. Written twice, nothing
 * changes. Thread-safe.
 */
final class RowWriting {
    /** Rows of one partition that go into one mutation of the users' table. */
    private static final int ROWS_TOGETHER = 64;

    private static final int BYTES_TOGETHER = 256 << 10;

    /** Writes one mutation. */
    interface Writer {
        /** Until a quorum has it. */
        void write(Mutation mutation);

        /** Whether all replicas in this data centre have it. */
        boolean writeToAll(Mutation mutation);
    }

    private final RowVersions versions;
    private final UserTables tables;
    private final Writer writer;
    private final Executor threads;

    /** @param threads as many as there may be mutations in flight */
    RowWriting(RowVersions versions, UserTables tables, Writer writer, Executor threads) {
        this.versions = versions;
        this.tables = tables;
        this.writer = writer;
        this.threads = threads;
    }

    /** Does not block. */
    CompletableFuture<Void> write(int edition, List<RowWrite> rows) {
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (List<RowWrite> together : grouped(rows)) {
            written.add(all(together.stream()
                            .map(row -> run(() -> writeForTransactions(edition, row)))
                            .toList())
                    .thenRunAsync(() -> writeForUsers(together), threads));
        }
        return all(written);
    }

    private void writeForTransactions(int edition, RowWrite row) {
        if (row.isPurge() && !mayGo(edition, row)) {
            return;
        }
        Mutation base = versions.baseMutation(row);
        if (base != null) {
            writer.write(base);
        }
        writer.write(versions.mutation(edition, row));
    }

    /**
     * Whether nothing can come back where a row leaves no trace. A base would: another edition would find what users
     * had before. And a replica that has missed the deletion of earlier versions and is away for longer than that is
     * remembered: so all must have it, with the version that says that the row is absent. That one may come back.
     */
    private boolean mayGo(int edition, RowWrite purge) {
        return !versions.hasBase(purge.key()) && writer.writeToAll(versions.mutation(edition, absent(purge)));
    }

    /** The version that says so, and that all before it are forgotten. */
    private static RowWrite absent(RowWrite purge) {
        long version = purge.row().version();
        return new RowWrite(purge.key(), purge.row(), 0, null, version);
    }

    private CompletableFuture<Void> run(Runnable work) {
        return CompletableFuture.runAsync(work, threads);
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }

    private List<List<RowWrite>> grouped(List<RowWrite> rows) {
        List<List<RowWrite>> groups = new ArrayList<>();
        Map<Object, List<RowWrite>> open = new LinkedHashMap<>();
        for (RowWrite row : rows) {
            List<RowWrite> group = open.computeIfAbsent(tables.partition(row.key()), p -> new ArrayList<>());
            group.add(row);
            if (group.size() == ROWS_TOGETHER) {
                groups.add(open.remove(tables.partition(row.key())));
            }
        }
        groups.addAll(open.values());
        return groups;
    }

    private void writeForUsers(List<RowWrite> rows) {
        List<Mutation> together = new ArrayList<>();
        int bytes = 0;
        for (RowWrite row : rows) {
            if (row.isPurge()) {
                continue; // They see it already.
            }
            for (Mutation mutation : tables.mutations(row.key(), row.row())) {
                together.add(mutation);
                bytes += size(mutation);
            }
            if (bytes > BYTES_TOGETHER) {
                writer.write(Mutation.merge(together));
                together.clear();
                bytes = 0;
            }
        }
        if (!together.isEmpty()) {
            writer.write(Mutation.merge(together));
        }
    }

    private static int size(Mutation mutation) {
        int bytes = 0;
        for (PartitionUpdate update : mutation.getPartitionUpdates()) {
            bytes += update.dataSize();
        }
        return bytes;
    }
}
