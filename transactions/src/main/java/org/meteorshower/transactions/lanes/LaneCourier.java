/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/** Carries what is said about a lane. What this data centre tells itself it hears at once. */
final class LaneCourier implements Courier, Message.OfLane.Handler<Integer> {
    private final Members members;
    private final Turn turn;
    private final Lane lane;

    LaneCourier(Members members, Turn turn, Lane lane) {
        this.members = members;
        this.turn = turn;
        this.lane = lane;
    }

    @Override
    public void tell(int to, Message.OfLane message) {
        if (to == members.self()) {
            message.handOver(this, to);
        } else {
            turn.send(to, message);
        }
    }

    @Override
    public void tellTwice(int to, Message.OfLane message) {
        turn.sendTwice(to, message);
    }

    @Override
    public void tellAll(Message.OfLane message) {
        turn.sendTwiceToOthers(message);
        message.handOver(this, members.self());
    }

    @Override
    public void on(Message.Prepare prepare, Integer from) {
        lane.received(from, prepare);
    }

    @Override
    public void on(Message.Promised promised, Integer from) {
        lane.received(from, promised);
    }

    @Override
    public void on(Message.Outbid outbid, Integer from) {
        lane.received(outbid);
    }

    @Override
    public void on(Message.Revoke revoke, Integer from) {
        lane.received(from, revoke);
    }

    @Override
    public void on(Message.Propose propose, Integer from) {
        lane.received(from, propose);
    }

    @Override
    public void on(Message.Accepted accepted, Integer from) {
        lane.received(from, accepted);
    }
}
