/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** Data centres 1, which is the heir, and 2 pass over data centre 0 in its lane; seen at 1. */
class RevocationTest {
    private static final List<Integer> DISKS = List.of(1, 1, 1);
    private static final long OWNERS = Ballot.of(1, 1, 0);
    private static final long EARLIER = Ballot.of(1, 1, 2);
    private static final int QUORUM = 0b110;
    private static final long REVOKING = Ballot.ofRevocationAbove(EARLIER, 1, 1);

    private final Turn turn = new Turn(new Members(1, 3));
    private final Durability durability = new Durability(turn, 7);
    private final Generations generations = new Generations(DISKS, dc -> this.lane.diskLost(dc));
    private Lane lane = lane(Recovery.founding(3, 7));
    private long batches;

    private Lane lane(Recovery recovery) {
        return new Lane(
                0,
                new Members(1, 3),
                Settings.DEFAULT,
                turn,
                durability,
                generations,
                () -> true,
                recovery,
                (number, position, entry) -> {});
    }

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
        lane.received(0, new Message.Propose(0, OWNERS, 0, entry(4, OWNERS), 0));
        lane.leader().seen(EARLIER);
        persisted();
        sentTo(2);
    }

    private static Entry entry(long epoch, long origin) {
        return new Entry(epoch, origin, List.of());
    }

    private void persisted() {
        durability.flush();
        durability.persisted(++batches);
    }

    private List<Message> sentTo(int dc) {
        durability.flush();
        List<Message> messages = new ArrayList<>();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.Send send && send.to() == dc) {
                messages.add(send.message());
            }
        }
        turn.begin(new Now(0, 0));
        return messages;
    }

    private static Message.Revoke promise(long ballot, int quorum, AcceptedEntry... accepted) {
        return new Message.Revoke(0, ballot, quorum, 90, DISKS, new AcceptorState(ballot, 0, List.of(accepted)));
    }

    private static Message.Revoke own() {
        return promise(REVOKING, QUORUM, new AcceptedEntry(0, OWNERS, entry(4, OWNERS)));
    }

    @Test
    void aPromiseIsDurableBeforeTheQuorumIsTold() {
        lane.revoke(1, QUORUM, 0, 90);
        assertThat(sentTo(2)).isEmpty();

        persisted();

        assertThat(sentTo(2)).containsExactly(own());
    }

    /** Until then its successor may lead under it. */
    @Test
    void theHeirGivesUpWhatItHasPromisedDurably() {
        lane.revoke(1, QUORUM, 0, 90);
        lane.received(new Message.Outbid(0, Ballot.ofRevocationAbove(REVOKING, 1, 2)));
        assertThat(lane.hasGivenUp(REVOKING)).isFalse();

        persisted();
        assertThat(lane.hasGivenUp(REVOKING)).isTrue();
    }

    @Test
    void whoHearsOfOneJoinsIn() {
        lane.received(2, promise(REVOKING, QUORUM));
        persisted();

        assertThat(sentTo(2)).contains(own());
    }

    @Test
    void whatTheQuorumHasAcceptedIsProposedAndTheLaneIsClosedBehindIt() {
        long higher = EARLIER;
        lane.received(
                2,
                promise(
                        REVOKING,
                        QUORUM,
                        new AcceptedEntry(0, higher, entry(5, higher)),
                        new AcceptedEntry(2, OWNERS, entry(6, OWNERS))));
        persisted();

        assertThat(lane.isLedUnder(REVOKING)).isTrue();
        assertThat(lane.nextPosition()).isEqualTo(4);
        List<Message> sent = sentTo(2);
        assertThat(sent)
                .contains(
                        new Message.Propose(0, REVOKING, 0, entry(5, higher), 0),
                        new Message.Propose(0, REVOKING, 1, Entry.FILLER, 0),
                        new Message.Propose(0, REVOKING, 2, entry(6, OWNERS), 0),
                        new Message.Propose(0, REVOKING, 3, entry(90, REVOKING), 0));
        persisted();
        assertThat(sentTo(0)).contains(new Message.Accepted(0, REVOKING, 3, DISKS));
    }

    @Test
    void whoIsNotTheHeirAcceptsWithoutBeingAsked() {
        long ofTwo = Ballot.ofRevocationAbove(EARLIER, 1, 2);
        lane.received(2, promise(ofTwo, QUORUM));
        persisted();
        sentTo(2);

        persisted();

        assertThat(lane.isLed()).isFalse();
        assertThat(sentTo(2))
                .contains(new Message.Accepted(0, ofTwo, 0, DISKS), new Message.Accepted(0, ofTwo, 1, DISKS));
    }

    @Test
    void withoutAllPromisesNothingIsProposed() {
        lane.revoke(1, QUORUM, 0, 90);
        persisted();

        assertThat(lane.isLed()).isFalse();
        assertThat(sentTo(2)).containsExactly(own());
    }

    @Test
    void promisesToAnotherQuorumDoNotCount() {
        lane.revoke(1, QUORUM, 0, 90);
        persisted();

        lane.received(2, promise(REVOKING, 0b111));

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aPromiseOfALostDiskDoesNotCount() {
        lane.revoke(1, QUORUM, 0, 90);
        generations.raise(2, 2);
        persisted();

        lane.received(2, promise(REVOKING, QUORUM));

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aPromiseOfAnEarlierLifeIsNotToldAgain() {
        AcceptorState left = new AcceptorState(REVOKING, 0, List.of());
        Recovery founding = Recovery.founding(3, 8);
        lane = lane(new Recovery(
                8,
                founding.generation(),
                founding.generations(),
                founding.livesByDc(),
                List.of(left, AcceptorState.EMPTY, AcceptorState.EMPTY),
                founding.learned(),
                founding.settled(),
                founding.checkpoint(),
                founding.edition(),
                founding.newestEdition(),
                founding.installing(),
                founding.logBytes()));

        lane.received(2, promise(REVOKING, QUORUM));
        persisted();

        assertThat(sentTo(2)).doesNotHaveAnyElementsOfTypes(Message.Revoke.class, Message.Promised.class);
        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void whoHasPromisedMoreSaysSo() {
        long higher = Ballot.of(5, 1, 2);
        lane.received(2, new Message.Prepare(0, higher, 0));
        lane.received(2, promise(REVOKING, QUORUM));

        assertThat(sentTo(2)).contains(new Message.Outbid(0, higher));
    }

    @Test
    void roundsOfRevocationsAreNoOthers() {
        long revocation = Ballot.ofRevocationAbove(Ballot.NONE, 1, 1);
        assertThat(Ballot.isOfRevocation(revocation)).isTrue();
        assertThat(Ballot.isOfRevocation(Ballot.above(revocation, 1, 1))).isFalse();
        assertThat(Ballot.above(revocation, 1, 1)).isGreaterThan(revocation);
        assertThat(Ballot.ofRevocationAbove(revocation, 1, 1)).isGreaterThan(revocation);
        assertThat(Ballot.round(Ballot.above(Ballot.NONE, 1, 0))).isEqualTo(1);
    }
}
