/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Brings each kind of message to the parts that it concerns, with its sender. */
final class Messages implements Message.Handler<NodeId> {
    private final Parts parts;

    Messages(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void on(Message.StatusMessage status, NodeId from) {
        parts.receiver.status(from, status);
        parts.dispatcher.acknowledged(from, status.acknowledgedStream(), status.acknowledgedSeq());
    }

    @Override
    public void on(Message.Snapshot snapshot, NodeId from) {
        parts.receiver.snapshot(from, snapshot);
    }

    @Override
    public void on(Message.Subscribe subscribe, NodeId from) {
        parts.receiver.peerSubscribed(from, subscribe.incarnation());
        parts.tables.asked(from, subscribe);
        // A node that shares nothing with this one (any more) gets no stream: what it missed of a name that was
        // forgotten here would be missing in the snapshot. The report it gets: it may wait to hear that this node
        // follows the present name.
        if (parts.receiver.peers().contains(from)) {
            parts.dispatcher.subscribed(from, subscribe);
        }
    }

    @Override
    public void on(Message.Tables reports, NodeId from) {
        parts.tables.received(from, reports);
    }

    @Override
    public void on(Message.ReRequest request, NodeId from) {
        parts.dispatcher.resend(from, request);
    }

    @Override
    public void on(Message.WriteAck ack, NodeId from) {
        parts.writes.acknowledged(from, ack.key(), ack.timestampMicros(), ack.appliedMicros());
    }

    @Override
    public void on(Message.Settle settle, NodeId from) {
        parts.settler.settle(from, settle);
    }

    @Override
    public void on(Message.Fetch fetch, NodeId from) {
        parts.settler.fetched(from, fetch);
    }

    @Override
    public void on(Message.WhetherComplete question, NodeId from) {
        MutationRecord record = parts.statusMap.find(question.key(), question.id());
        boolean complete = record == null
                ? parts.statusMap.retiredBy(question.key(), question.id()) != null
                : record.group().strictAtHome() && parts.completeness.isComplete(record);
        if (complete) {
            parts.turn.send(from, new Message.Complete(parts.turn.tick(), question.key(), question.id()));
        }
    }

    @Override
    public void on(Message.Complete answer, NodeId from) {
        MutationRecord record = parts.statusMap.find(answer.key(), answer.id());
        if (record != null) {
            record.complete = true;
            parts.reads.touched(record.key);
            parts.writes.wake();
        }
    }

    @Override
    public void on(Message.Retired retired, NodeId from) {
        parts.announcements.retired(retired);
    }

    @Override
    public void on(Message.Pull pull, NodeId from) {
        parts.dispatcher.pulled(from, parts.receiver);
    }

    @Override
    public void on(Message.Stale refusal, NodeId from) {
        parts.receiver.refused(from, refusal);
        parts.rejoining.refused(from, refusal);
        parts.turn.alarm(
                Effect.AlarmKind.LEFT_BEHIND,
                from + " has left this node behind: until this node has been filled with what it missed, it shows"
                        + " nothing that " + from + " alone could tell it. It sees to that by itself, unless"
                        + " automatic_return is off: then it is to be repaired (docs/INSTALL.md)");
    }

    @Override
    public void on(Message.Returning returning, NodeId from) {
        if (parts.receiver.peers().contains(from)) {
            parts.turn.send(from, parts.retirement.returning(from, returning));
        }
    }

    @Override
    public void on(Message.Awaited awaited, NodeId from) {
        parts.rejoining.awaited(from, awaited);
    }
}
