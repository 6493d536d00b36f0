/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.cassandra.config.Config.CommitLogSync;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.meteorshower.cassandra.config.PluginConfig.JournalFiles;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/** Opens the journal, and hands the protocol core what it remembers. */
final class JournalOpening {
    private JournalOpening() {}

    /** @throws ConfigurationException if it cannot be used, or not be trusted */
    static MappedJournal open(JournalFiles files, UpdateCodec codec) {
        Path directory = directory(files);
        try {
            return MappedJournal.open(
                    directory,
                    codec,
                    new JournalOptions(files.segmentMegabytes() << 20, (long) files.maxMegabytes() << 20, sync(files)));
        } catch (IOException | RuntimeException e) {
            throw new ConfigurationException(
                    "MeteorShower: cannot open the journal in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Beside the commit log: the two are worth something only together. */
    static Path directory(JournalFiles files) {
        Path configured = files.directory();
        if (configured != null) {
            return configured;
        }
        return Path.of(DatabaseDescriptor.getCommitLogLocation())
                .toAbsolutePath()
                .resolveSibling("meteorshower");
    }

    /**
     * Whether a mutation that the journal has on disk may be acknowledged before the commit log has it there. Where
     * nobody waits for that one there is nothing to be gained.
     */
    static boolean standsForCommitLog(JournalFiles files) {
        return !files.awaitCommitLog()
                && sync(files).kind() == SyncPolicy.Kind.ALWAYS
                && DatabaseDescriptor.getCommitLogSync() != CommitLogSync.periodic;
    }

    private static SyncPolicy sync(JournalFiles files) {
        if (files.sync() == null) {
            return DatabaseDescriptor.getCommitLogSync() == CommitLogSync.periodic
                    ? SyncPolicy.batch(files.syncIntervalMillis())
                    : SyncPolicy.ALWAYS;
        }
        return switch (files.sync()) {
            case NEVER -> SyncPolicy.NEVER;
            case BATCH -> SyncPolicy.batch(files.syncIntervalMillis());
            case ALWAYS -> SyncPolicy.ALWAYS;
        };
    }

    /** Without what was stamped under names that tables have no longer; see {@link MovedUpdates}. */
    static Recovery recovery(Journal.Contents contents, RingPlacement placement) {
        Iterable<Recovery.StampedUpdate> updates =
                () -> StreamSupport.stream(contents.updates().spliterator(), false)
                        .filter(each -> placement.groupOf(each.update().key()) != null)
                        .map(each -> new Recovery.StampedUpdate(each.update(), each.appliedMicros()))
                        .iterator();
        List<Recovery.RecoveredTable> tables = contents.tables().stream()
                .map(each -> new Recovery.RecoveredTable(
                        each.table(), each.sinceMicros(), each.baseline(), each.ready(), each.live()))
                .toList();
        return new Recovery(contents.incarnation(), contents.ceilingMicros(), updates, tables, contents.stalePeers());
    }
}
