/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Message;

/**
 * Writes each kind of message as {@link MessageCodec} reads it. Immutable.
 *
 * @param version of the language between nodes, which the other one speaks
 */
record MessageWriter(int version) implements Message.Handler<DataOut> {
    @Override
    public void on(Message.Prepare prepare, DataOut out) {
        out.u8(MessageCodec.PREPARE)
                .varint(prepare.lane())
                .varint(prepare.ballot())
                .varint(prepare.from());
    }

    @Override
    public void on(Message.Promised promised, DataOut out) {
        out.u8(MessageCodec.PROMISED).varint(promised.lane()).varint(promised.ballot());
        StoreCodec.writeNumbers(promised.generations(), out);
        StoreCodec.write(promised.state(), out);
    }

    @Override
    public void on(Message.Outbid outbid, DataOut out) {
        out.u8(MessageCodec.OUTBID).varint(outbid.lane()).varint(outbid.promised());
    }

    @Override
    public void on(Message.Revoke revoke, DataOut out) {
        out.u8(MessageCodec.REVOKE)
                .varint(revoke.lane())
                .varint(revoke.ballot())
                .varint(revoke.quorum())
                .varint(revoke.horizon());
        StoreCodec.writeNumbers(revoke.generations(), out);
        StoreCodec.write(revoke.state(), out);
    }

    @Override
    public void on(Message.Propose propose, DataOut out) {
        out.u8(MessageCodec.PROPOSE)
                .varint(propose.lane())
                .varint(propose.ballot())
                .varint(propose.position());
        LogCodec.write(propose.entry(), out);
        out.varint(propose.decidedBelow());
    }

    @Override
    public void on(Message.Accepted accepted, DataOut out) {
        out.u8(MessageCodec.ACCEPTED)
                .varint(accepted.lane())
                .varint(accepted.ballot())
                .varint(accepted.position());
        StoreCodec.writeNumbers(accepted.generations(), out);
    }

    @Override
    public void on(Message.Progress progress, DataOut out) {
        Message.ClockReading clock = progress.clock();
        Message.Margin margin = version >= MessageCodec.TELLS_MARGINS ? progress.margin() : null;
        if (progress.revokes() && version >= MessageCodec.REVOKES) {
            out.u8(MessageCodec.PROGRESS_OF_REVOKER).varint(margin == null ? 0 : 1);
        } else {
            out.u8(margin == null ? MessageCodec.PROGRESS : MessageCodec.PROGRESS_WITH_MARGIN);
        }
        out.signed(clock.wallMicros()).signed(clock.elapsedMicros()).signed(clock.echoMicros());
        out.signed(clock.heldMicros());
        StoreCodec.writeNaturals(progress.decided(), out);
        StoreCodec.writeNaturals(progress.durable(), out);
        out.varint(progress.count()).varint(progress.auditCount()).fixed64(progress.auditDigest());
        if (margin != null) {
            out.varint(margin.epoch()).signed(margin.micros());
        }
    }

    @Override
    public void on(Message.Fetch fetch, DataOut out) {
        out.u8(MessageCodec.FETCH).varint(fetch.lane()).signed(fetch.from());
    }

    @Override
    public void on(Message.Decided decided, DataOut out) {
        out.u8(MessageCodec.DECIDED).varint(decided.lane()).varint(decided.from());
        out.varint(decided.entries().size());
        decided.entries().forEach(entry -> LogCodec.write(entry, out));
    }

    @Override
    public void on(Message.Offer offer, DataOut out) {
        StoreCodec.write(offer.checkpoint(), out.u8(MessageCodec.OFFER));
    }

    @Override
    public void on(Message.AskPages ask, DataOut out) {
        out.u8(MessageCodec.ASK_PAGES).varint(ask.count()).text(ask.place()).varint(ask.pages());
    }

    @Override
    public void on(Message.Page page, DataOut out) {
        boolean tellsBases = version >= MessageCodec.TELLS_BASES;
        StoreCodec.write(page.checkpoint(), out.u8(tellsBases ? MessageCodec.PAGE_WITH_BASES : MessageCodec.PAGE));
        out.text(page.place());
        StoreCodec.write(page.rows(), out);
        if (tellsBases) {
            StoreCodec.writeBases(page.bases(), out);
        }
        out.text(page.next());
    }

    @Override
    public void on(Message.Forward forward, DataOut out) {
        LogCodec.write(new Entry(0, forward.ballot(), forward.submissions()), out.u8(MessageCodec.FORWARD));
    }

    @Override
    public void on(Message.ForwardRefused refused, DataOut out) {
        out.u8(MessageCodec.FORWARD_REFUSED).varint(refused.ballot());
        out.varint(refused.tickets().size());
        refused.tickets().forEach(out::varint);
    }

    @Override
    public void on(Message.Rejoin rejoin, DataOut out) {
        out.u8(MessageCodec.REJOIN).varint(rejoin.generation()).varint(rejoin.life());
    }

    @Override
    public void on(Message.RejoinAnswer answer, DataOut out) {
        boolean tells = version >= MessageCodec.TELLS_GENERATIONS
                && !answer.generations().isEmpty();
        out.u8(tells ? MessageCodec.REJOIN_ANSWER_WITH_GENERATIONS : MessageCodec.REJOIN_ANSWER)
                .varint(answer.generation())
                .varint(answer.life());
        out.varint(answer.acceptors().size());
        answer.acceptors().forEach(acceptor -> StoreCodec.write(acceptor, out));
        if (tells) {
            StoreCodec.writeNumbers(answer.generations(), out);
        }
    }

    @Override
    public void on(Message.RejoinRefused refused, DataOut out) {
        out.u8(MessageCodec.REJOIN_REFUSED).varint(refused.known()).varint(refused.life());
    }
}
