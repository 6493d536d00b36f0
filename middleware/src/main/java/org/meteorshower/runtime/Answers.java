/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import org.meteorshower.protocol.NodeId;

/**
 * How requests that coordinators have sent past the protocol are answered: by receipts in status messages, or each by
 * an answer of its own. Must not block.
 */
public interface Answers {
    /**
     * The peer has carried out these requests of this node's, by their numbers. Some are told twice. Called on a thread
     * of the transport, not under the node's lock, and mostly after what else the message says has been taken.
     *
     * @param incarnation the life of this node that the message is for: an earlier one gave other requests these
     *     numbers
     */
    void arrived(NodeId from, long incarnation, List<Long> receipts);

    /** A receipt that was given here is not carried: the request is to be answered. Called under the node's lock. */
    void returned(NodeId coordinator, long receipt);
}
