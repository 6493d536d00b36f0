/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.memory.MemoryShares;
import org.meteorshower.protocol.Settings;

/**
 * What meteorshower.yaml says, checked and with defaults filled in. docs/CONFIGURATION.md explains each option.
 *
 * @param transportAddress null: Cassandra's own listen address
 * @param transportSecret what the nodes know of each other before they talk; null: none
 * @param newestVersion of the messages between the nodes' plugins that this node speaks
 * @param tokenSecrets by id; empty: derived from the cluster's name
 * @param tokenSecretId which of them new tokens are made with; null: the one with the largest id
 * @param wanFile null: no emulated network
 * @param settings the protocol's constants
 * @param automaticReturn whether this node, where peers have left it behind, is filled and comes back without an
 *     operator
 * @param catchUpMillis how long a node that starts takes no clients while others bring it what it missed; 0: not at all
 * @param automaticBaseline whether what this node held of a table when it was enabled, or does not know to have
 *     stamped, is repaired without an operator
 * @param liveMoves whether a table whose partitions have moved is read and written again once all its replicas know
 *     that, with reads as Cassandra's own until they have been repaired; else it waits for the repairs
 * @param carryAnswers whether status messages carry Cassandra's answers to mutations
 * @param background how the repairs that this node runs by itself yield to clients
 * @param metrics where Prometheus is answered; null: nowhere
 * @param check how much the online checker looks at
 * @param memory how the heap is divided
 * @param transactions null: none
 */
public record PluginConfig(
        @Nullable String transportAddress,
        int transportPort,
        @Nullable String transportSecret,
        int newestVersion,
        Map<Integer, byte[]> tokenSecrets,
        @Nullable Integer tokenSecretId,
        WeakWrites weakWrites,
        JournalFiles journal,
        @Nullable Path wanFile,
        Settings settings,
        boolean automaticReturn,
        int catchUpMillis,
        boolean automaticBaseline,
        boolean liveMoves,
        boolean carryAnswers,
        BackgroundOptions background,
        @Nullable MetricsEndpoint metrics,
        OnlineChecks check,
        MemoryShares memory,
        @Nullable TransactionsConfig transactions) {
    /** Says nothing: what is printed ends up in logs, and secrets are in it. */
    @Override
    public String toString() {
        return "PluginConfig (not shown)";
    }

    /**
     * Where and how the journal is kept.
     *
     * @param directory null: the folder meteorshower in Cassandra's storage directory
     * @param sync null: as Cassandra's commitlog_sync
     * @param awaitCommitLog whether a mutation that it has on disk is to be there in the commit log, too, before it is
     *     acknowledged
     */
    public record JournalFiles(
            @Nullable Path directory,
            int segmentMegabytes,
            int maxMegabytes,
            @Nullable JournalSync sync,
            int syncIntervalMillis,
            boolean awaitCommitLog) {}

    /**
     * What the online checker takes.
     *
     * @param share of the partitions, 0 (off) to 1
     * @param maxReads that wait to be judged
     */
    public record OnlineChecks(double share, int maxReads) {}

    /** When the journal is forced to disk. */
    public enum JournalSync {
        NEVER,
        BATCH,
        ALWAYS
    }
}
