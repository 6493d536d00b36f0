/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import org.meteorshower.transactions.port.Message;

/**
 * Carries messages to the representatives of other data centres. Called on the loop; must not block. Messages may be
 * lost.
 */
public interface Courier {
    /** @param twice whether to send it on two streams, so that a loss on one holds nobody up */
    void send(int dc, Message message, boolean twice);

    /** Whether it is known who runs the data centre's process, and no connection with that node stands. */
    default boolean isSevered(int dc) {
        return false;
    }

    /** No more is sent at the moment: what was kept back to go together is to go now. */
    default void flush() {}
}
