/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Message;

/** Brings each kind of message to the parts that it concerns, with its sender. */
final class Messages implements Message.Handler<Integer> {
    private final Parts parts;

    Messages(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void on(Message.Prepare prepare, Integer from) {
        parts.lanes.get(prepare.lane()).received(from, prepare);
    }

    @Override
    public void on(Message.Promised promised, Integer from) {
        parts.lanes.get(promised.lane()).received(from, promised);
    }

    @Override
    public void on(Message.Outbid outbid, Integer from) {
        parts.lanes.get(outbid.lane()).received(outbid);
    }

    @Override
    public void on(Message.Revoke revoke, Integer from) {
        parts.lanes.get(revoke.lane()).received(from, revoke);
    }

    @Override
    public void on(Message.Propose propose, Integer from) {
        parts.seen(propose.entry());
        parts.noteNeed(propose.entry());
        parts.prefetch(propose.entry().submissions());
        parts.lanes.get(propose.lane()).received(from, propose);
    }

    @Override
    public void on(Message.Accepted accepted, Integer from) {
        parts.lanes.get(accepted.lane()).received(from, accepted);
    }

    @Override
    public void on(Message.Progress progress, Integer from) {
        progressed(from, progress);
    }

    @Override
    public void on(Message.Forward forward, Integer from) {
        List<Submission> fresh = parts.forwarded.received(from, forward);
        if (!fresh.isEmpty()) {
            parts.doze.needed(); // Who asks does not lead, and cannot wake the others by an entry.
        }
        parts.prefetch(fresh);
    }

    @Override
    public void on(Message.ForwardRefused refused, Integer from) {
        parts.submissions.refused(from, refused);
    }

    // --- of the past -----------------------------------------------------------------------------------------

    @Override
    public void on(Message.Fetch fetch, Integer from) {
        parts.catchUp.received(from, fetch);
    }

    @Override
    public void on(Message.Decided decided, Integer from) {
        parts.catchUp.received(from, decided);
    }

    @Override
    public void on(Message.Offer offer, Integer from) {
        parts.taker.offered(from, offer.checkpoint(), parts.chains.count(), !parts.checkpoints.isUnderWay());
        if (parts.taker.isBusy()) {
            parts.giver.stop();
        }
    }

    @Override
    public void on(Message.AskPages ask, Integer from) {
        if (parts.taker.isUsable()) {
            parts.giver.received(from, ask);
        }
    }

    @Override
    public void on(Message.Page page, Integer from) {
        parts.taker.received(from, page);
    }

    @Override
    public void on(Message.Rejoin rejoin, Integer from) {
        parts.rejoining.received(from, rejoin);
    }

    @Override
    public void on(Message.RejoinAnswer answer, Integer from) {
        parts.rejoining.received(from, answer);
    }

    @Override
    public void on(Message.RejoinRefused refused, Integer from) {
        parts.rejoining.received(refused);
    }

    private void progressed(int from, Message.Progress progress) {
        if (parts.leadership.hasListened()) {
            parts.peers.stoodStill(parts.clocks.silenceMicros(from, progress.clock()), parts.turn.micros());
        }
        parts.peers.progress(from, progress);
        parts.clocks.received(from, progress.clock());
        parts.lanes.forEach(lane -> lane.heardOf(progress.decided().get(lane.number())));
        if (progress.margin() != null) {
            parts.lead.heard(from, progress.margin());
        }
        parts.audit.heard(from, progress.auditCount(), progress.auditDigest());
    }
}
