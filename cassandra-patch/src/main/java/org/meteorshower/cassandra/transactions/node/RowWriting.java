/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.cassandra.db.Mutation;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.port.RowWrite;

/**
 * Writes rows: first the versions that transactions go by, their keys and what ends of them, then, when a quorum has
 * them, what users see, since that overwrites what was there before. Some at a time, so that they share the waits for
 * the disk. Written twice, nothing changes. Thread-safe.
 */
final class RowWriting {
    /** Rows that are written at a time: as many waits for the disk are saved. */
    private static final int ROWS_TOGETHER = 64;

    private static final int BYTES_TOGETHER = 256 << 10;

    /** Writes mutations. */
    interface Writer {
        /** Until a quorum has each of them. */
        void write(List<Mutation> mutations);

        /** Returns those that all replicas in this data centre have. */
        List<Mutation> writeToAll(List<Mutation> mutations);
    }

    private final RowVersions versions;
    private final RowKeys keys;
    private final DueRows due;
    private final UserTables tables;
    private final Writer writer;
    private final Executor threads;

    /** @param threads as many as there may be chunks under way */
    RowWriting(RowVersions versions, RowKeys keys, DueRows due, UserTables tables, Writer writer, Executor threads) {
        this.versions = versions;
        this.keys = keys;
        this.due = due;
        this.tables = tables;
        this.writer = writer;
        this.threads = threads;
    }

    /** Does not block. */
    CompletableFuture<Void> write(int edition, List<RowWrite> rows) {
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (List<RowWrite> together : chunks(rows)) {
            written.add(CompletableFuture.runAsync(
                    () -> {
                        List<RowWrite> gone = writeForTransactions(edition, together);
                        writeForUsers(together, keys.ofPurged(edition, gone));
                    },
                    threads));
        }
        return CompletableFuture.allOf(written.toArray(CompletableFuture[]::new));
    }

    /** Rows of one partition of a users' table stay together as they are ordered. */
    private static List<List<RowWrite>> chunks(List<RowWrite> rows) {
        List<List<RowWrite>> chunks = new ArrayList<>();
        List<RowWrite> chunk = new ArrayList<>();
        long bytes = 0;
        for (RowWrite row : rows) {
            chunk.add(row);
            bytes += Weight.of(row.row().row());
            if (chunk.size() == ROWS_TOGETHER || bytes > BYTES_TOGETHER) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    /** Returns the purges that were done. */
    private List<RowWrite> writeForTransactions(int edition, List<RowWrite> rows) {
        List<Mutation> bases = new ArrayList<>();
        List<Mutation> mutations = new ArrayList<>();
        List<RowWrite> purges = new ArrayList<>();
        for (RowWrite row : rows) {
            if (row.isPurge()) {
                purges.add(row);
                continue;
            }
            Mutation base = versions.baseMutation(row);
            if (base != null) {
                bases.add(base);
            }
            mutations.add(versions.mutation(edition, row));
        }
        mutations.addAll(keys.ofNew(edition, rows));
        mutations.addAll(due.of(rows));
        List<RowWrite> gone = mayGo(edition, purges);
        for (RowWrite row : gone) {
            mutations.add(versions.mutation(edition, row));
        }
        write(bases);
        write(mutations);
        return gone;
    }

    private void write(List<Mutation> mutations) {
        if (!mutations.isEmpty()) {
            writer.write(mutations);
        }
    }

    /**
     * Those of which nothing can come back where they leave no trace. A base would: another edition would find what
     * users had before. And a replica that has missed the deletion of earlier versions and is away for longer than that
     * is remembered: so all must have it, with the version that says that the row is absent. That one may come back.
     */
    private List<RowWrite> mayGo(int edition, List<RowWrite> purges) {
        Map<Mutation, RowWrite> absent = new LinkedHashMap<>();
        for (RowWrite purge : purges) {
            if (!versions.hasBase(purge.key())) {
                absent.put(versions.mutation(edition, absent(purge)), purge);
            }
        }
        return absent.isEmpty()
                ? List.of()
                : writer.writeToAll(List.copyOf(absent.keySet())).stream()
                        .map(absent::get)
                        .toList();
    }

    /** The version that says so, and that all before it are forgotten. */
    private static RowWrite absent(RowWrite purge) {
        long version = purge.row().version();
        return new RowWrite(purge.key(), purge.row(), 0, null, version);
    }

    /** @param beside what may be written at the same time */
    private void writeForUsers(List<RowWrite> rows, List<Mutation> beside) {
        Map<Object, List<Mutation>> byPartition = new LinkedHashMap<>();
        for (RowWrite row : rows) {
            if (!row.isPurge()) { // those they see already
                byPartition
                        .computeIfAbsent(tables.partition(row.key()), partition -> new ArrayList<>())
                        .addAll(tables.mutations(row.key(), row.row()));
            }
        }
        List<Mutation> mutations = new ArrayList<>(beside);
        for (List<Mutation> together : byPartition.values()) {
            if (!together.isEmpty()) {
                mutations.add(together.size() == 1 ? together.get(0) : Mutation.merge(together));
            }
        }
        write(mutations);
    }
}
