/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
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
            Recovery.founding(3, 7),
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
                Recovery.founding(5, 7),
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
        lane.received(new Message.Outbid(0, Ballot.of(9, 1, 1)));

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
        lane.received(new Message.Outbid(0, Ballot.of(9, 1, 1)));
        lane.leader().begin();

        assertThat(lane.leader().ballot()).isEqualTo(Ballot.of(11, 1, 0));
    }

    /** Another process of this data centre may lead under it: this one was replaced, and does not know that yet. */
    @Test
    void whatIsNotDurablyPromisedHereIsNotGivenUp() {
        lane.leader().begin();
        long ballot = lane.leader().ballot();
        lane.received(new Message.Outbid(0, THEIRS + ballot));

        assertThat(lane.leader().isFollowing()).isTrue();
        assertThat(lane.hasGivenUp(ballot)).isFalse();

        durability.flush();
        durability.persisted(++batches);
        assertThat(lane.hasGivenUp(ballot)).isTrue();
    }

    static Transaction writing(String content) {
        return new Transaction(
                List.of(),
                List.of(new Statement.Put(new RowKey("t", "k"), "v", new Expression.Constant(Value.of(content)))));
    }

    private List<Durable> written() {
        durability.flush();
        List<Durable> records = new ArrayList<>();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.Persist persist) {
                records.addAll(persist.records());
            }
        }
        turn.begin(new Now(0, 0));
        return records;
    }

    @Test
    void whatWasAcceptedHereAndDecidedIsSettledWhenTheVoteIsDurable() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        lane.received(1, new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
        lane.received(2, new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
        assertThat(lane.log().decidedBelow()).isEqualTo(1);
        assertThat(lane.settledBelow()).as("it is not on this disk yet").isZero();
        persisted();
        assertThat(lane.settledBelow()).isEqualTo(1);
        assertThat(written()).as("nothing more has to be written").noneMatch(Durable.Learned.class::isInstance);
    }

    @Test
    void whereAnotherEntryWasVotedForThanDecidedThatIsWrittenBeforeItCountsAsSettled() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        persisted();
        written();
        long higher = Ballot.of(2, 1, 2);
        lane.learn(0, List.of(entry(3, higher)));

        assertThat(lane.settledBelow()).isZero();
        assertThat(written()).containsExactly(new Durable.Learned(0, 0, entry(3, higher)));
        durability.persisted(++batches);
        assertThat(lane.settledBelow()).isEqualTo(1);
    }

    @Test
    void whatWasNeverVotedForHereIsWrittenWhenItIsLearned() {
        lane.learn(0, List.of(entry(3, THEIRS)));
        assertThat(lane.settledBelow()).isZero();
        assertThat(written()).containsExactly(new Durable.Learned(0, 0, entry(3, THEIRS)));
        durability.persisted(++batches);
        assertThat(lane.settledBelow()).isEqualTo(1);
    }

    /** The vote of this data centre is on its way to the disk when it learns that another entry was decided. */
    @Test
    void aVoteThatBecomesDurableLaterThanAnotherDecisionSettlesNothing() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        durability.flush();
        lane.learn(0, List.of(entry(3, Ballot.of(2, 1, 2))));
        durability.flush();
        durability.persisted(++batches);
        assertThat(lane.settledBelow()).isZero();
        durability.persisted(++batches);
        assertThat(lane.settledBelow()).isEqualTo(1);
    }

    private Lane restarted(List<AcceptedEntry> learned, List<AcceptorState> states, long settled) {
        Recovery founding = Recovery.founding(3, 7);
        return new Lane(
                0,
                new Members(0, 3),
                Settings.DEFAULT,
                turn,
                durability,
                generations,
                () -> true,
                new Recovery(
                        7,
                        1,
                        FIRST_DISKS,
                        founding.livesByDc(),
                        states.isEmpty() ? founding.acceptors() : states,
                        List.of(learned, List.of(), List.of()),
                        List.of(settled, 0L, 0L),
                        founding.checkpoint(),
                        1,
                        1,
                        null,
                        0),
                (number, position, entry) -> {});
    }

    /** It may have come to the disk after the promise, which did not tell of it then. */
    @Test
    void aVoteBelowThePromiseOnDiskDoesNotHelpToDecide() {
        AcceptedEntry vote = new AcceptedEntry(0, THEIRS, entry(1, THEIRS));
        AcceptorState none = new AcceptorState(0, 0, List.of());
        AcceptorState late = new AcceptorState(Ballot.of(2, 1, 2), 0, List.of(vote));
        Lane again = restarted(List.of(), List.of(late, none, none), 0);
        again.received(1, new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
        assertThat(again.log().decidedBelow()).isZero();

        Lane other = restarted(List.of(), List.of(new AcceptorState(THEIRS, 0, List.of(vote)), none, none), 0);
        other.received(1, new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
        assertThat(other.log().decidedBelow()).isEqualTo(1);
    }

    /**
     * What is known by somebody's word only may have been decided under a higher ballot than that of the vote here: a
     * vote between the two, of a process that was replaced, may yet come to the disk.
     */
    @Test
    void whereNoMajorityIsKnownForTheVoteWhatIsDecidedIsWrittenAboveIt() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        persisted();
        written();
        lane.learn(0, List.of(entry(1, THEIRS)));
        assertThat(lane.settledBelow()).isZero();
        assertThat(written()).containsExactly(new Durable.Learned(0, 0, entry(1, THEIRS)));
        durability.persisted(++batches);
        assertThat(lane.settledBelow()).isEqualTo(1);

        lane.received(1, new Message.Propose(0, THEIRS, 1, entry(2, THEIRS), 0));
        lane.received(1, new Message.Propose(0, THEIRS, 2, entry(3, THEIRS), 2));
        assertThat(lane.log().decidedBelow()).as("by the leader's word").isEqualTo(2);
        assertThat(written()).contains(new Durable.Learned(0, 1, entry(2, THEIRS)));
    }

    @Test
    void aVoteOfAnEarlierLifeIsToldAlsoWhereTheLogHasWhatWasDecidedInItsPlace() {
        Lane again = restarted(List.of(new AcceptedEntry(0, THEIRS, entry(1, THEIRS))), List.of(), 0);
        assertThat(again.acceptorState().accepted()).containsExactly(new AcceptedEntry(0, THEIRS, entry(1, THEIRS)));
        Lane without = restarted(List.of(new AcceptedEntry(0, Ballot.NONE, entry(1, THEIRS))), List.of(), 0);
        assertThat(without.acceptorState().accepted()).isEmpty();
    }

    @Test
    void nothingIsVotedForWhereThePositionIsSettledAndMemoryHasLetGoOfIt() {
        Lane again = restarted(List.of(), List.of(), 5);
        again.received(1, new Message.Propose(0, THEIRS, 4, entry(1, THEIRS), 0));
        assertThat(written()).isEmpty();
        again.received(1, new Message.Propose(0, THEIRS, 5, entry(1, THEIRS), 0));
        assertThat(written()).containsExactly(new Durable.Accept(0, 5, THEIRS, entry(1, THEIRS)));
    }

    /** The next process reads the vote of a settled position as what was decided there. */
    @Test
    void aProposalThatLostAndComesLateDoesNotGetTheVoteOfASettledPosition() {
        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        lane.received(1, new Message.Accepted(0, THEIRS, 0, FIRST_DISKS));
        persisted();
        written();
        assertThat(lane.settledBelow()).isEqualTo(1);
        long lost = Ballot.of(2, 1, 2);
        lane.received(2, new Message.Propose(0, lost, 0, entry(3, lost), 0));

        assertThat(written()).isEmpty();
    }

    @Test
    void whatWasLearnedInAnEarlierLifeIsNotWrittenAgain() {
        AcceptedEntry learned = new AcceptedEntry(5, 99, entry(3, THEIRS));
        Lane again = restarted(List.of(learned), List.of(), 5);
        assertThat(again.settledBelow()).isEqualTo(6);
        assertThat(again.log().decidedBelow()).isEqualTo(6);
        assertThat(again.log().start()).isEqualTo(5);
        assertThat(written()).isEmpty();
    }

    @Test
    void whatIsSettledAndExecutedIsLetGoOfAndToldToBeGone() {
        Submission large = new Submission(
                1,
                new Request.Once(
                        writing("x".repeat((int) Settings.DEFAULT.budget().laneBytes() / 10))));
        for (int i = 0; i < 6; i++) {
            lane.learn(i, List.of(new Entry(i, THEIRS, List.of(large))));
        }
        lane.letGo(6);
        assertThat(lane.log().start()).as("nothing is on this disk yet").isZero();
        persisted();
        lane.letGo(6);
        assertThat(lane.log().weight()).isLessThan(Settings.DEFAULT.budget().laneBytes() / 10);
        sent();

        long higher = Ballot.of(2, 1, 1);
        lane.received(1, new Message.Prepare(0, higher, 0));
        persisted();
        // So who asks has to catch up before it leads.
        assertThat(sent())
                .containsExactly(new Message.Promised(
                        0,
                        higher,
                        FIRST_DISKS,
                        new AcceptorState(higher, lane.log().start(), List.of())));
    }

    @Test
    void whoLagsFarDoesNotVoteForWhatItCannotHold() {
        int most = (int) Settings.DEFAULT.budget().laneBytes() / 3;
        Submission large = new Submission(1, new Request.Once(writing("x".repeat(most / 3))));
        lane.received(1, new Message.Propose(0, THEIRS, 1, new Entry(1, THEIRS, List.of(large)), 0));
        lane.received(1, new Message.Propose(0, THEIRS, 2, new Entry(1, THEIRS, List.of(large)), 0));
        written();
        lane.received(1, new Message.Propose(0, THEIRS, 3, entry(1, THEIRS), 0));
        lane.received(1, new Message.Propose(0, THEIRS, 4, entry(1, THEIRS), 0));
        lane.received(2, new Message.Accepted(0, THEIRS, 4, FIRST_DISKS));
        assertThat(written())
                .as("half of the room is taken, and it waits for position 0")
                .isEmpty();
        assertThat(lane.log().weight()).isLessThan(most);

        lane.received(1, new Message.Propose(0, THEIRS, 0, entry(1, THEIRS), 0));
        assertThat(written())
                .as("what comes next always has room")
                .containsExactly(new Durable.Accept(0, 0, THEIRS, entry(1, THEIRS)));
    }

    /** Each is decided before the next is proposed, and the lane is not ahead of anything. */
    @Test
    void whoseDiskStandsStillTakesInNoMoreThanItCanHold() {
        int most = (int) Settings.DEFAULT.budget().laneBytes() / 3;
        Submission large = new Submission(1, new Request.Once(writing("x".repeat(most / 10))));
        for (int position = 0; position < 30; position++) {
            Entry entry = new Entry(position, THEIRS, List.of(large));
            lane.received(1, new Message.Propose(0, THEIRS, position, entry, 0));
            lane.received(1, new Message.Accepted(0, THEIRS, position, FIRST_DISKS));
            lane.received(2, new Message.Accepted(0, THEIRS, position, FIRST_DISKS));
        }
        assertThat(lane.log().weight()).isLessThan(most);
        assertThat(lane.log().decidedBelow()).isLessThan(10);
    }

    @Test
    void whatIsTooFarAheadIsNotVotedFor() {
        lane.received(1, new Message.Propose(0, THEIRS, LaneLog.MOST_AHEAD + 1, entry(1, THEIRS), 0));
        assertThat(written()).isEmpty();
    }
}
