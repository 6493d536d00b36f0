/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;

/**
 * Hears of every event that a core is told and every effect that it wants, in the order of the run; and of what else it
 * tells.
 */
@FunctionalInterface
public interface Trace {
    Trace NONE = (nowMicros, node, what) -> {};

    /**
     * @param nowMicros simulated time
     * @param what an {@code Event}, an {@code Effect}, or what an observer of the core hears; its text is the same in
     *     every run of the same seed
     */
    void step(long nowMicros, int node, Object what);

    /** What clients, operators and faults do, in words. */
    default void note(long nowMicros, Supplier<String> what) {}

    /** A node has started, and its core has been told nothing yet. */
    default void started(int node, CoreView core) {}

    /** The core has taken a step, and none of its effects is carried out yet. */
    default void stepped(int node, Event event, CoreView core) {}

    /**
     * A node has offered a read a cut without a step of the core.
     *
     * @param read whatever names the read
     */
    default void offered(int node, Object read, long cutMicros) {}

    /**
     * A session has the answer to a read.
     *
     * @param read its name where the cut came without a step of the core, else null
     * @param readId its number at the node where it came with one
     * @param content of the cells
     */
    default void wasRead(
            String session,
            int node,
            @Nullable Object read,
            long readId,
            PartitionKey key,
            long cutMicros,
            Map<Integer, Cell> content) {}

    /** A session has heard of its write's timestamp, and sends the write. */
    default void began(String session, int node, long writeId, List<CellUpdate> updates) {}

    /** @param tokenMicros the session's, from now on; -1 where it does not know what became of its write */
    default void wrote(String session, List<CellUpdate> updates, long tokenMicros) {}
}
