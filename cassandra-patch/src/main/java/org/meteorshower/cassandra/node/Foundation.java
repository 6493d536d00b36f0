/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.nio.file.Path;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.store.CassandraUpdateCodec;
import org.meteorshower.cassandra.store.LogTail;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.runtime.journal.LoggedJournal;
import org.meteorshower.runtime.journal.MappedJournal;

/**
 * What all parts of a node stand on: who it is, its options, its share of the heap, its clock, its journal, its
 * counters. Made by the thread that starts the node; what is in it is thread-safe, but for the journal, which is the
 * core's.
 */
final class Foundation implements AutoCloseable {
    final PluginConfig config;
    final NodeId self;
    final MemoryBudget memory;
    final NodeMetrics metrics = new NodeMetrics();
    final Clock clock;
    final UpdateCodec codec = new CassandraUpdateCodec();

    /** Null where the network is as it is. */
    final @Nullable EmulatedWan wan;

    /** The files. */
    final MappedJournal files;

    /**
     * The same, or a slower one where disks are emulated; and one that awaits the commit log where nobody else does.
     */
    final Journal journal;

    /** Null where each mutation is awaited there. */
    final @Nullable LogTail commitLog;

    /** As it was at the start. */
    final Journal.Contents contents;

    private final OpenParts open = new OpenParts();

    /** @throws ConfigurationException if the heap cannot be divided as wanted, or the journal cannot be used */
    Foundation(PluginConfig config) {
        this.config = config;
        self = new NodeId(SystemKeyspace.getOrInitializeLocalHostId());
        memory = MemoryOpening.make(config.memory());
        wan = config.wanFile() == null ? null : open.add(new EmulatedWan(config.wanFile()));
        clock = wan == null ? Clock.system() : wan.clock();
        files = open.add(JournalOpening.open(config.journal(), codec));
        Journal onDisk = wan == null ? files : wan.onDisk(files);
        commitLog = JournalOpening.standsForCommitLog(config.journal()) ? open.add(LogTail.ofCassandra()) : null;
        journal = commitLog == null ? onDisk : new LoggedJournal(onDisk, commitLog);
        contents = journal.contents();
    }

    /** Where the journal is, and what else a restart must not forget. */
    Path directory() {
        return JournalOpening.directory(config.journal());
    }

    @Override
    public void close() {
        open.close();
    }
}
