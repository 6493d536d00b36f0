/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/**
 * What this node promises in its own messages: that all that was stamped up to then was told. A status message alone
 * promises. Used under the core's lock.
 */
final class OwnPromises implements Message.Handler<NodeId> {
    private long upToMicros = Long.MIN_VALUE;

    /** Nothing may be stamped here any more up to this. */
    long upToMicros() {
        return upToMicros;
    }

    @Override
    public void on(Message.StatusMessage status, NodeId to) {
        upToMicros = Math.max(upToMicros, status.msgTsMicros());
    }

    @Override
    public void on(Message.Snapshot snapshot, NodeId to) {}

    @Override
    public void on(Message.Subscribe subscribe, NodeId to) {}

    @Override
    public void on(Message.Tables reports, NodeId to) {}

    @Override
    public void on(Message.ReRequest request, NodeId to) {}

    @Override
    public void on(Message.WriteAck ack, NodeId to) {}

    @Override
    public void on(Message.Settle settle, NodeId to) {}

    @Override
    public void on(Message.Fetch fetch, NodeId to) {}

    @Override
    public void on(Message.WhetherComplete question, NodeId to) {}

    @Override
    public void on(Message.Complete answer, NodeId to) {}

    @Override
    public void on(Message.Retired retired, NodeId to) {}

    @Override
    public void on(Message.Pull pull, NodeId to) {}

    @Override
    public void on(Message.Stale refusal, NodeId to) {}

    @Override
    public void on(Message.Returning returning, NodeId to) {}

    @Override
    public void on(Message.Awaited awaited, NodeId to) {}
}
