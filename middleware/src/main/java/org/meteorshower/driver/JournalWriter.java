/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * What a node must remember through a crash: the mutations it has stamped and not retired, the ceiling of its clock,
 * and the state of its tables.
 *
 * <p>When a method returns, what it was told survives the death of the process; how much of it survives the death of
 * the machine is the implementation's to say. Called by one thread at a time.
 */
public interface JournalWriter {
    /**
     * Why the update cannot be remembered just now, with the cure; null where there is room. After null
     * {@link #applied} of this update does not fail for want of room, if nothing else was told in between.
     */
    default @Nullable String obstacle(Update update) {
        return null;
    }

    /**
     * Why clients' writes should not begin at this node; null where nothing speaks against it. Says so before
     * {@link #obstacle(Update)} does, so that there is room for what others have begun.
     */
    default @Nullable String obstacle() {
        return null;
    }

    /** Whether there is soon no room, and mutations that are kept for a silent peer should go. Asked often. */
    default boolean isNearlyFull() {
        return false;
    }

    void applied(Update update, long appliedMicros);

    void retired(PartitionKey key, MutationId id);

    void ceiling(long ceilingMicros);

    void table(TableState state);

    void tableDropped(UUID table);

    /** @param stale whether the peer is left behind from now on, or taken back */
    void stale(NodeId peer, boolean stale);

    /**
     * @param ready whether all replicas had enabled the table and its baseline was known
     * @param live whether its reads here are Cassandra's own until then
     */
    record TableState(UUID table, long sinceMicros, boolean baseline, boolean ready, boolean live) {}
}
