/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;

/**
 * Who waits for a mutation that was sent to a node, and how that answers.
 *
 * @param coordinator null where no client waits
 * @param receipt what a status message may carry in place of the answer; {@link Event.Acknowledging#NO_RECEIPT}: none
 * @param answer of its own, when the store has the mutation
 */
record Sent(@Nullable NodeId coordinator, long receipt, Runnable answer) {
    static Sent by(@Nullable NodeId coordinator) {
        return new Sent(coordinator, Event.Acknowledging.NO_RECEIPT, () -> {});
    }

    static Sent by(@Nullable NodeId coordinator, Runnable answer) {
        return new Sent(coordinator, Event.Acknowledging.NO_RECEIPT, answer);
    }

    static Sent by(NodeId coordinator, long receipt) {
        return new Sent(coordinator, receipt, () -> {});
    }
}
