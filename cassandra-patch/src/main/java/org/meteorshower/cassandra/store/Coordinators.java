/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import com.google.common.collect.MapMaker;
import java.util.Map;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * Which coordinator waits for which mutation, from its arrival here until it is applied. Thread-safe. Bounded by the
 * mutations that are in memory: keys are held weakly and compared by identity.
 */
public final class Coordinators {
    /**
     * @param request the number of its message, which the answer names; 0 where only Cassandra can answer it
     * @param expiresNanos when it does not wait any more, by Cassandra's approximate clock. A coordinator that restarts
     *     takes longer, so no answer comes to another life of it, where the number may be that of another request
     */
    public record Waiting(NodeId coordinator, InetAddressAndPort address, long request, long expiresNanos) {
        /** The mutation is in several parts, which are applied one after the other. */
        Waiting forSeveral() {
            return new Waiting(coordinator, address, 0, expiresNanos);
        }
    }

    private final Map<Mutation, Waiting> waiting = new MapMaker().weakKeys().makeMap();

    public void arrived(Mutation mutation, Waiting coordinator) {
        waiting.put(mutation, coordinator);
    }

    @Nullable
    Waiting takeOf(Mutation mutation) {
        return waiting.remove(mutation);
    }
}
