/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import com.google.common.collect.MapMaker;
import java.util.Map;
import org.apache.cassandra.db.Mutation;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;

/**
 * Which coordinator waits for which mutation, from its arrival here until it is applied. Thread-safe. Bounded by the
 * mutations that are in memory: keys are held weakly and compared by identity.
 */
public final class Coordinators {
    private final Map<Mutation, NodeId> waiting = new MapMaker().weakKeys().makeMap();

    public void arrived(Mutation mutation, NodeId coordinator) {
        waiting.put(mutation, coordinator);
    }

    @Nullable
    NodeId takeOf(Mutation mutation) {
        return waiting.remove(mutation);
    }
}
