/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.Entering;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.simulator.CellUpdate;

/** What a node has begun and will go on with. Lost with a crash. */
sealed interface Task {
    /** By which a node's tasks are sorted, so that the order in which they were begun makes no difference. */
    String name();

    /** A mutation is offered to the core, for the first time or again with what its rows held. */
    record Offer(Entering entering, @Nullable NodeId coordinator) implements Task {
        @Override
        public String name() {
            return "offer " + entering.update();
        }
    }

    /** A mutation enters the store. */
    record Apply(CellUpdate update, @Nullable NodeId coordinator) implements Task {
        @Override
        public String name() {
            return "apply " + update;
        }
    }

    /** The store is read for a session's read, and the core is told. */
    record ReadStore(int session, Effect.ReadAt at) implements Task {
        @Override
        public String name() {
            return "read " + session;
        }
    }
}
