/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.cassandra.db.Mutation;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;

/**
 * Writes what an earlier layout had stored. What fails is tried again from the beginning, with the process's start.
 * Used by one thread.
 */
final class BringingOver implements EarlierLayout.Target, AutoCloseable {
    private static final int WRITING_THREADS = 4;
    private static final long NO_LIFE = 0;

    private final LogKeyspace keyspace;
    private final LogExtent extent;
    private final StoreThreads threads = new StoreThreads();
    private final RowWriting writing;

    BringingOver(LogKeyspace keyspace, int dcs, UserTables tables) {
        this.keyspace = keyspace;
        this.extent = new LogExtent(dcs);
        RowVersions versions = new RowVersions(keyspace);
        Writer writer = new Writer();
        this.writing = new RowWriting(
                versions,
                new RowKeys(keyspace, tables),
                new DueRows(keyspace, versions, NO_LIFE, writer::write), // nothing of these ends
                tables,
                writer,
                threads.make("Bring-Over", WRITING_THREADS));
    }

    private static final class Writer implements RowWriting.Writer {
        @Override
        public void write(List<Mutation> mutations) {
            LocalWrites.write(mutations, true);
        }

        @Override
        public List<Mutation> writeToAll(List<Mutation> mutations) {
            return LocalWrites.writeToAll(mutations);
        }
    }

    @Override
    public void records(List<Durable> records) {
        LocalWrites.write(DurableMutations.of(records, keyspace, extent), false);
    }

    @Override
    public void rows(List<RowWrite> rows) {
        try {
            writing.write(Recovery.FIRST_EDITION, rows).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
