/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Set;
import java.util.UUID;

/**
 * The partitions that a scan is about: those of one table whose tokens lie in a range. Immutable, and made by whoever
 * asks, who alone knows tokens. Asked by the core's thread, in each step that stirs a partition: it must be quick.
 */
public interface ScanRange {
    /** The table, by the name that it has in the protocol. */
    UUID table();

    /** Who holds these partitions, each group once; not empty. */
    Set<ReplicaGroup> groups();

    /** Whether the partition is among them. */
    boolean contains(PartitionKey key);
}
