/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * The world as the driver needs it. No method blocks, and none brings the driver an event before it returns. What a
 * method throws stops the node: an effect that was not carried out must not be followed by others.
 */
public interface Ports {
    Now now();

    JournalWriter journal();

    /** In order towards one peer; lost where the peer is not reached. */
    void send(NodeId to, Message message);

    /** No status message carries the receipt: the coordinator's request is to be answered in the usual way. */
    void receiptReturned(NodeId coordinator, long receipt);

    /**
     * Applies an update as if it had arrived from outside, later. One that cannot be applied is dropped: it is offered
     * again.
     */
    void apply(Update update);

    /**
     * Reads back, in its own time, what the journal holds of a mutation.
     *
     * @param then gets it, perhaps on another thread; is not called where the journal does not hold it any more, or it
     *     cannot be read just now
     */
    void readBack(PartitionKey key, MutationId id, Consumer<Update> then);

    /**
     * Begins to bring into the store what these peers hold; {@link org.meteorshower.protocol.Event.Filled} must follow.
     */
    void fill(long number, List<NodeId> sources);

    void alarm(Effect.Alarm alarm);

    /** The timer waits longer than it now should: {@link CoreDriver#tick} is to be called soon. */
    void wakeTimer();

    /** The driver has stopped for this, and takes no event any more. The last call. */
    void stopped(RuntimeException cause);
}
