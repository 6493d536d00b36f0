/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
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
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** The lane of data centre 0, there. */
class LaneTest {
    private static final List<Integer> FIRST_DISKS = List.of(1, 1, 1);
    private static final long THEIRS = Ballot.of(1, 1, 1);
    private static final long OURS = Ballot.of(1, 1, 0);

    private final Turn turn = new Turn(new Members(0, 3));
    private final Durability durability = new Durability(turn, 7);
    private final Generations generations = new Generations(FIRST_DISKS, dc -> this.lane.diskLost(dc));
    private boolean remembers = true;
    private final Lane lane = new Lane(
            0,
            new Members(0, 3),
            Settings.DEFAULT,
            turn,
            durability,
            generations,
            () -> remembers,
            AcceptorState.EMPTY,
            0,
            (number, position, entry) -> {});
    private long batches;

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    /** What was sent to data centre 1, and forgets it. */
    private List<Message> sent() {
        durability.flush();
        List<Message> messages = new ArrayList<>();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.Send send && send.to() == 1) {
                messages.add(send.message());
            }
        }
        turn.begin(new Now(0, 0));
        return messages;
    }

    private void persisted() {
        durability.flush();
        durability.persisted(++batches);
    }

    private static Entry entry(long epoch, long origin) {
        return new Entry(epoch, origin, List.of());
    }

    private void promisedBy(int dc, List<Integer> disks, long floor, AcceptedEntry... accepted) {
        lane.received(dc, new Message.Promised(0, OURS, disks, new AcceptorState(OURS, floor, List.of(accepted))));
    }

    private void lead() {
        lane.leader().begin();
        persisted();
        promisedBy(1, FIRST_DISKS, 0);
        sent();
    }

    @Test
    void anAcceptorAnswersOnlyWhatIsDurable() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        assertThat(sent()).isEmpty();
        persisted();

        assertThat(sent()).containsExactly(new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
    }

    @Test
    void aPromiseIsDurableBeforeItIsGivenAndTellsWhatWasAccepted() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        persisted();
        sent();
        long higher = Ballot.of(2, 1, 1);
        lane.received(1, new Message.Prepare(0, higher, 0));
        assertThat(sent()).isEmpty();
        persisted();

        AcceptorState state = new AcceptorState(higher, 0, List.of(new AcceptedEntry(0, THEIRS, entry(1, THEIRS))));
        assertThat(sent()).containsExactly(new Message.Promised(0, higher, FIRST_DISKS, state));
    }

    @Test
    void nothingBelowAPromiseIsAccepted() {
        long higher = Ballot.of(2, 1, 2);
        lane.received(2, new Message.Prepare(0, higher, 0));
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));

        assertThat(sent()).containsExactly(new Message.Outbid(0, higher));
    }

    @Test
    void aDiskThatHasLostItsVotesDoesNotVote() {
        remembers = false;
        lane.received(1, new Message.Prepare(0, THEIRS, 0));
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        persisted();

        assertThat(sent()).isEmpty();
    }

    @Test
    void aBallotIsDurableBeforeOthersHearOfIt() {
        lane.leader().begin();
        assertThat(sent()).isEmpty();
        persisted();

        assertThat(sent()).containsExactly(new Message.Prepare(0, OURS, 0));
    }

    @Test
    void aNewLeaderProposesAgainWhatHasTheHighestBallotAndFillsHoles() {
        lane.leader().begin();
        persisted();
        sent();
        promisedBy(1, FIRST_DISKS, 0, new AcceptedEntry(0, 5, entry(3, 5)), new AcceptedEntry(2, 6, entry(4, 6)));

        assertThat(lane.takeNewLeadership()).isTrue();
        assertThat(sent())
                .containsExactly(
                        new Message.Propose(0, OURS, 0, entry(3, 5), 0),
                        new Message.Propose(0, OURS, 1, Entry.FILLER, 0),
                        new Message.Propose(0, OURS, 2, entry(4, 6), 0));
        assertThat(lane.nextPosition()).isEqualTo(3);
    }

    @Test
    void aCandidateThatLacksWhatIsGoneElsewhereDoesNotLead() {
        lane.leader().begin();
        persisted();
        promisedBy(1, FIRST_DISKS, 4);

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aPromiseOfADiskThatWasLostDoesNotCount() {
        generations.raise(1, 2);
        lane.leader().begin();
        persisted();
        promisedBy(1, FIRST_DISKS, 0);
        assertThat(lane.isLed()).isFalse();
        promisedBy(2, List.of(1, 2, 1), 0);

        assertThat(lane.isLed()).isTrue();
    }

    @Test
    void aPromiseThatCameBeforeItsDiskWasKnownToBeLostIsTakenBack() {
        Members five = new Members(0, 5);
        List<Integer> disks = Collections.nCopies(5, 1);
        Lane[] wide = new Lane[1];
        Generations known = new Generations(disks, dc -> wide[0].diskLost(dc));
        wide[0] = new Lane(
                0,
                five,
                Settings.DEFAULT,
                turn,
                durability,
                known,
                () -> true,
                AcceptorState.EMPTY,
                0,
                (number, position, entry) -> {});
        wide[0].leader().begin();
        persisted();
        AcceptorState nothing = new AcceptorState(OURS, 0, List.of());
        wide[0].received(1, new Message.Promised(0, OURS, disks, nothing));
        wide[0].received(2, new Message.Promised(0, OURS, List.of(1, 2, 1, 1, 1), nothing));
        assertThat(wide[0].isLed()).isFalse();
        wide[0].received(3, new Message.Promised(0, OURS, List.of(1, 2, 1, 1, 1), nothing));

        assertThat(wide[0].isLed()).isTrue();
    }

    @Test
    void aLeaderThatHearsOfAHigherBallotLeadsNoMore() {
        lead();
        assertThat(lane.isLed()).isTrue();
        lane.received(1, new Message.Outbid(0, Ballot.of(9, 1, 1)));

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aLeaderWhosePositionWasDecidedWithAnotherEntryLeadsNoMore() {
        lead();
        lane.propose(lane.newEntry(1, List.of()));
        lane.learn(0, List.of(entry(8, THEIRS)));

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aLeaderThatLearnsOfDecisionsWhereItHasNotProposedLeadsNoMore() {
        lead();
        lane.learn(0, List.of(entry(8, THEIRS)));

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aLeaderLearnsOfItsOwnDecisionsAndLeadsOn() {
        lead();
        Entry mine = lane.newEntry(1, List.of());
        lane.propose(mine);
        lane.learn(0, List.of(mine));

        assertThat(lane.isLed()).isTrue();
    }

    @Test
    void aLeaderWhoseOpenProposalASnapshotCoversLeadsNoMore() {
        lead();
        lane.propose(lane.newEntry(1, List.of()));
        lane.skipTo(1);

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aLeaderWhoseNextPositionASnapshotCoversLeadsNoMore() {
        lead();
        lane.skipTo(1);

        assertThat(lane.isLed()).isFalse();
    }

    @Test
    void aNewBallotIsAboveEveryOneThatWasHeardOf() {
        lane.received(1, new Message.Outbid(0, Ballot.of(9, 1, 1)));
        lane.leader().begin();

        assertThat(lane.leader().ballot()).isEqualTo(Ballot.of(10, 1, 0));
    }
}
