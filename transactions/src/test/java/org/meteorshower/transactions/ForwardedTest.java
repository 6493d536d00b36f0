/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class ForwardedTest {
    private static final int LANE = 1;
    private static final long MOST_BYTES = 10_000;

    /** Under which this data centre leads the lane, or prepares to; the one below it was the last that it gave up. */
    private long ballot = 5;

    private boolean prepares;

    /** Whether its own promise of it is durable. */
    private boolean owned = true;

    private final Turn turn = new Turn(new Members(0, 3));
    private final Forwarded forwarded = new Forwarded(3, 2, MOST_BYTES, turn, new Forwarded.Ballots() {
        @Override
        public boolean isLed(int lane, long asked) {
            return mayBeLed(lane, asked) && !prepares;
        }

        @Override
        public boolean mayBeLed(int lane, long asked) {
            return lane == LANE && ballot == asked;
        }

        @Override
        public boolean isGivenUp(int lane, long asked) {
            return lane == LANE && asked == ballot - 1;
        }

        @Override
        public boolean isOwn(int lane, long asked) {
            return owned && mayBeLed(lane, asked);
        }
    });

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    /** What was refused since this was last asked. Each is said on two streams. */
    private List<Message.ForwardRefused> refused() {
        List<Message.ForwardRefused> refused = new ArrayList<>();
        for (Effect effect : turn.end()) {
            Effect.Send send = (Effect.Send) effect;
            assertThat(send.to()).isEqualTo(LANE);
            assertThat(send.twice()).isTrue();
            refused.add((Message.ForwardRefused) send.message());
        }
        turn.begin(new Now(0, 0));
        return refused;
    }

    private static Submission submission(long ticket) {
        return new Submission(ticket, new Request.Open());
    }

    private static Message.Forward forward(long ballot, long... tickets) {
        List<Submission> submissions = new ArrayList<>();
        for (long ticket : tickets) {
            submissions.add(submission(ticket));
        }
        return new Message.Forward(ballot, submissions);
    }

    @Test
    void whatComesTwiceIsProposedOnce() {
        forwarded.received(LANE, forward(5, 11, 12));
        forwarded.received(LANE, forward(5, 11, 12));

        assertThat(forwarded.take(LANE)).containsExactly(submission(11), submission(12));
        forwarded.received(LANE, forward(5, 12, 13));
        assertThat(forwarded.take(LANE)).containsExactly(submission(13));
        assertThat(forwarded.take(LANE)).isEmpty();
    }

    @Test
    void nothingIsTakenByWhoDoesNotLeadUnderTheBallotThatItWasSentTo() {
        forwarded.received(LANE, forward(4, 11));
        forwarded.received(2, forward(5, 12));

        assertThat(forwarded.take(LANE)).isEmpty();
        assertThat(forwarded.take(2)).isEmpty();
    }

    @Test
    void whatWasSentToOneBallotIsNotProposedUnderAnother() {
        forwarded.received(LANE, forward(5, 11));
        ballot = 6;

        assertThat(forwarded.take(LANE)).isEmpty();
        forwarded.received(LANE, forward(6, 12));
        assertThat(forwarded.take(LANE)).containsExactly(submission(12));
    }

    @Test
    void whatIsAskedOfABallotThatWasGivenUpIsRefused() {
        forwarded.received(LANE, forward(4, 11, 12));
        assertThat(refused()).containsExactly(new Message.ForwardRefused(4, List.of(11L, 12L)));

        forwarded.received(LANE, forward(1, 13));
        assertThat(refused()).as("an earlier life may have taken it").isEmpty();
        forwarded.received(LANE, forward(6, 14));
        assertThat(refused()).as("it may lead under it one day").isEmpty();
    }

    @Test
    void whatWaitsInVainIsGivenBack() {
        forwarded.received(LANE, forward(5, 11));
        forwarded.received(LANE, forward(5, 12));
        forwarded.giveBack();
        assertThat(refused()).isEmpty();
        assertThat(forwarded.take(LANE)).containsExactly(submission(11));

        ballot = 6;
        forwarded.giveBack();
        assertThat(refused()).containsExactly(new Message.ForwardRefused(5, List.of(12L)));
        forwarded.giveBack();
        assertThat(refused()).as("said once").isEmpty();
        assertThat(forwarded.take(LANE)).isEmpty();
    }

    @Test
    void aProcessThatStopsGivesBackAllThatWaits() {
        forwarded.received(LANE, forward(5, 11));
        forwarded.take(LANE);
        forwarded.received(LANE, forward(5, 12, 13));

        forwarded.abandon();
        assertThat(refused()).containsExactly(new Message.ForwardRefused(5, List.of(12L, 13L)));
    }

    @Test
    void aProcessThatStopsTellsNothingOfABallotThatMayBeItsSuccessors() {
        owned = false;
        forwarded.received(LANE, forward(5, 11));

        forwarded.abandon();
        assertThat(refused()).isEmpty();
    }

    @Test
    void whatWasProposedIsNotRefusedHoweverLateItsCopyComes() {
        forwarded.received(LANE, forward(5, 11));
        forwarded.take(LANE);
        forwarded.received(LANE, forward(5, 12));
        ballot = 6;
        forwarded.giveBack();
        assertThat(refused()).containsExactly(new Message.ForwardRefused(5, List.of(12L)));

        forwarded.received(LANE, forward(5, 11, 12, 13));
        assertThat(refused()).containsExactly(new Message.ForwardRefused(5, List.of(12L, 13L)));
    }

    private static Entry entry(long origin, long... tickets) {
        return new Entry(9, origin, forward(5, tickets).submissions());
    }

    @Test
    void whatWasProposedWhereSomethingElseStandsIsRefusedAndNotTakenAgain() {
        forwarded.received(LANE, forward(5, 11, 12));
        forwarded.take(LANE);
        forwarded.proposes(LANE, 70, entry(501, 11, 12));
        forwarded.decided(LANE, 69, entry(7));
        assertThat(refused()).isEmpty();

        forwarded.decided(LANE, 70, entry(7));
        assertThat(refused()).containsExactly(new Message.ForwardRefused(5, List.of(11L, 12L)));
        forwarded.received(LANE, forward(5, 11, 12));
        assertThat(forwarded.take(LANE)).as("a copy of it, late").isEmpty();
    }

    @Test
    void whatWasProposedAndStandsIsNotRefused() {
        forwarded.received(LANE, forward(5, 11, 12));
        forwarded.take(LANE);
        forwarded.proposes(LANE, 70, entry(501, 11));
        forwarded.proposes(LANE, 71, entry(502, 12));

        forwarded.decided(LANE, 70, entry(501, 11));
        forwarded.decided(LANE, 70, entry(7));
        forwarded.skipTo(LANE, 72);
        forwarded.decided(LANE, 71, entry(7));
        assertThat(refused()).as("of what a snapshot covers nothing is known").isEmpty();
    }

    @Test
    void whatAProcessThatMayHaveBeenReplacedProposedIsNotRefused() {
        owned = false;
        forwarded.received(LANE, forward(5, 11));
        forwarded.take(LANE);
        forwarded.proposes(LANE, 70, entry(501, 11));

        forwarded.decided(LANE, 70, entry(7));
        assertThat(refused()).isEmpty();
    }

    @Test
    void ofTheBallotBeforeTheLastOneNothingIsKnown() {
        forwarded.received(LANE, forward(5, 11));
        forwarded.take(LANE);
        ballot = 6;
        forwarded.received(LANE, forward(6, 12));
        ballot = 7;

        forwarded.received(LANE, forward(6, 12));
        assertThat(refused()).as("taken").isEmpty();
        forwarded.received(LANE, forward(5, 11));
        assertThat(refused()).as("not known any more").isEmpty();
    }

    @Test
    void whoIsAboutToLeadTakesItAndProposesItLater() {
        prepares = true;
        assertThat(forwarded.received(LANE, forward(5, 11))).hasSize(1);
        forwarded.giveBack();
        assertThat(forwarded.take(LANE)).isEmpty();
        assertThat(refused()).isEmpty();

        prepares = false;
        assertThat(forwarded.take(LANE)).containsExactly(submission(11));
    }

    @Test
    void whatDoesNotFitIsNotTaken() {
        assertThat(forwarded.received(LANE, forward(5, 11))).hasSize(1);
        assertThat(forwarded.received(LANE, forward(5, 12))).hasSize(1);
        assertThat(forwarded.received(LANE, forward(5, 13))).isEmpty();
        forwarded.take(LANE);

        assertThat(forwarded.received(LANE, forward(5, 14))).hasSize(1);
    }

    @Test
    void whatTakesTooManyBytesIsNotTakenUntilOthersAreProposed() {
        Request large = new Request.Once(new Transaction(
                List.of(),
                List.of(new Statement.Return(new Expression.Constant(Value.of("x".repeat((int) MOST_BYTES)))))));
        assertThat(forwarded.received(LANE, new Message.Forward(5, List.of(new Submission(11, large)))))
                .hasSize(1);
        assertThat(forwarded.bytes()).isGreaterThan(MOST_BYTES);
        assertThat(forwarded.received(LANE, forward(5, 12))).isEmpty();
        forwarded.take(LANE);
        assertThat(forwarded.bytes()).isZero();
        assertThat(forwarded.received(LANE, forward(5, 12))).hasSize(1);
    }

    @Test
    void ofTicketsLongAgoNothingIsRememberedAndNothingIsTakenAgain() {
        for (long ticket = 1; ticket <= 10_050; ticket++) {
            forwarded.received(LANE, forward(5, ticket));
            forwarded.take(LANE);
        }

        assertThat(forwarded.received(LANE, forward(5, 1, 40, 60, 10_050, 10_051)))
                .containsExactly(submission(10_051));
    }
}
