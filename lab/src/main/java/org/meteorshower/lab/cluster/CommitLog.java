/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When Cassandra's commit log is forced to disk, and the journal with it ({@code journal.sync} as by default). */
public enum CommitLog {
    /** Before a write is acknowledged, for all that wait together: what the lab's nodes do elsewhere. */
    BATCH,
    /** The same, after waiting for others for 15 ms: Cassandra's example waits for a second. */
    GROUP,
    /** Every ten seconds, as in the cassandra.yaml that Cassandra comes with. */
    PERIODIC;

    /** For {@link ClusterOptions#cassandraOptions}. */
    public Map<String, String> options() {
        return switch (this) {
            case BATCH -> Map.of();
            case GROUP -> Map.of("commitlog_sync", "group", "commitlog_sync_group_window", "15ms");
            case PERIODIC -> Map.of("commitlog_sync", "periodic", "commitlog_sync_period", "10000ms");
        };
    }

    /** As people and cassandra.yaml call it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Null where none is called so. */
    public static @Nullable CommitLog named(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** All there are, for people. */
    public static String words() {
        List<String> words = Arrays.stream(values()).map(CommitLog::word).toList();
        return String.join(", ", words);
    }
}
