/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;

/** How one simulated node knows the table: by which name, and where it believes the partitions to live. */
interface TableView {
    /** What the node's core asks. */
    Placement placement();

    /** The node starts, and its core is about to be made. */
    void recover(Collection<UUID> journaled);

    /** The core is there, and has not been told of any table in this life. */
    void begin(Collection<UUID> journaled);

    /** From this cut on the core vouches for what the node holds of a table. */
    default void vouched(UUID name, long sinceMicros) {}

    /** What the table is called in the protocol; null where the node does not follow it. */
    @Nullable
    UUID name();

    /** The names that the core may know the table by. */
    Collection<UUID> names();

    /**
     * Whether the life that begins does not know what the one before had stamped, and yet holds all of it: Cassandra's
     * commit log had kept that.
     */
    default boolean forgetsInTheCommitLog() {
        return false;
    }

    /** Whether the node has a place on the ring, as far as it knows itself. */
    boolean isOnRing();

    /** Who serves the partition, in the epoch that this node follows; empty where it follows none. */
    List<SimulatedNode> replicas(PartitionKey key);

    /** Who gets mutations of the partition by the ring as this node sees it now, and whoever it moves to besides. */
    List<SimulatedNode> targets(PartitionKey key);

    /** Whom Cassandra's own reads ask, by the ring as this node sees it now. */
    default List<SimulatedNode> readers(PartitionKey key) {
        return targets(key);
    }

    /** Whether reads may be Cassandra's own where the core says so; else they wait. */
    default boolean mayReadPlainly() {
        return !isEnding();
    }

    /** How many of the targets must have a mutation before Cassandra calls it written. */
    int required(PartitionKey key);

    /** Whether mutations are refused here, since the node does not follow the table. */
    boolean refuses();

    /** Lets a mutation in, now or when it can be, with the name under which it is stamped; or refuses it. */
    void admit(CellUpdate update, Consumer<CellUpdate> in);

    /** A mutation that was let in is in the store, or will never be. */
    void out();

    /** Data of these partitions, of an ordinary table or of a repair, is about to come in past the core. */
    default void dataComes(Map<PartitionKey, NodeId> from) {}

    /** Whether the table is disabled as far as this node knows, and requests for it are Cassandra's own. */
    default boolean isOrdinary() {
        return false;
    }

    /** Whether requests for the ordinary table wait here, since another node may still serve it. */
    default boolean isEnding() {
        return false;
    }

    /** All cuts at which a node may have served the ordinary table lie before this hybrid time. */
    default long overSinceMicros() {
        return 0;
    }

    /** The partition's key, as the protocol knows it here; null where the node does not follow the table. */
    default @Nullable PartitionKey keyOf(PartitionKey key) {
        UUID name = name();
        return name == null ? null : new PartitionKey(name, key.bytes());
    }

    /** The key that a read here names. */
    default @Nullable PartitionKey readKeyOf(PartitionKey key) {
        return keyOf(key);
    }
}
